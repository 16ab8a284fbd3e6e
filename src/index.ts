import { foldRecordings } from "./host/embedded/fold-recordings.ts";
import type * as published from "../client/outlive.d.ts";

/** What npm package `outlive` exports, beside the command line. Its declarations are client/outlive.d.ts. */
export const fold: typeof published.fold = async (files, { cluster = "recording", now, pods = false } = {}) => {
  const folded = await foldRecordings(files, { cluster, now: now?.getTime(), pods, podRuns: new Set() });
  // Runs are complete when all Jobs were read.
  const jobs = [...folded.jobs];
  return { jobs, runs: [...folded.runs], rejected: folded.tally.rejected };
};
