import type { Tool } from "../tool.ts";
import { compareRuns } from "./compare-runs.ts";
import { completeness } from "./completeness.ts";
import { findRuns } from "./find-runs.ts";
import { getRun } from "./get-run.ts";
import { nodeReport } from "./node-report.ts";
import { timeline } from "./timeline.ts";
import { whyNotRunning } from "./why-not-running.ts";
import { why } from "./why.ts";

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  findRuns,
  getRun,
  why,
  whyNotRunning,
  timeline,
  compareRuns,
  nodeReport,
  completeness,
];
