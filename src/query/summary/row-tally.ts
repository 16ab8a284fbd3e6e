import { needlessMillis } from "../../job/accounting/needless-millis.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import type { Scope } from "../access/scope.ts";
import { type JobFilter, matchesRow } from "../list/job-filter.ts";
import type { RowPorts } from "../list/list-jobs.ts";
import { readInPages, type RowsRead } from "../list/read-in-pages.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { SummaryTallies } from "./summary.ts";
import { groupOf, type SummaryGrouping } from "./summary-group.ts";
import type { SummaryTally } from "./summary-tally.ts";

/** The most Jobs that one summary reads, newest first. */
const MAX_SUMMARISED = 50_000;

export interface RowTally {
  readonly filter: JobFilter;
  readonly by?: SummaryGrouping | undefined;
  /** @default 50,000 */
  readonly bound?: number;
  readonly into: SummaryTallies;
}

/** Counts the Jobs that match the filter, from their list rows, newest first. */
export async function tallyRows(
  ports: RowPorts,
  scope: Scope,
  { filter, by, bound = MAX_SUMMARISED, into }: RowTally,
): Promise<RowsRead> {
  const run: TallyRun = { all: into, by, reRunJobs: [] };
  const read = await readInPages(ports, scope, {
    filter,
    bound,
    add: async (rows) => rows.forEach((row) => tallyRow(run, filter, row)),
  });
  for (const { row, tallies } of run.reRunJobs) {
    // One Job at a time, so that not all Pods are in memory together.
    const seconds = await needlessSecondsOf(ports.jobs, row);
    for (const tally of tallies) tally.addWaste(seconds);
  }
  return read;
}

interface TallyRun {
  readonly all: SummaryTallies;
  readonly by: SummaryGrouping | undefined;
  /** Jobs with needless re-runs, whose wasted time is not yet read. */
  readonly reRunJobs: { readonly row: PlacedRow; readonly tallies: readonly SummaryTally[] }[];
}

function tallyRow({ all, by, reRunJobs }: TallyRun, filter: JobFilter, row: PlacedRow): void {
  const job = readSummary(row);
  if (!matchesRow(filter, row, job)) return;
  const tallies = all.of(by && groupOf(by, job));
  for (const tally of tallies) tally.add(job, row.attention);
  if (needlessRuns(job) > 0 && reRunJobs.length < MAX_TIMED) reRunJobs.push({ row, tallies });
}

/**
 * The most Jobs whose Pods are read for the wasted time, which list rows do not contain. Beyond that, the wasted time
 * is a lower bound.
 */
const MAX_TIMED = 500;

/** The run time of the Pods that succeeded after the Job already had its completions. */
async function needlessSecondsOf(jobs: JobStore, row: PlacedRow): Promise<number> {
  const view = await readJob(jobs, row);
  const { completions } = readSummary(row).spec;
  if (view === undefined || completions === undefined) return 0;
  const pods: PodRecord[] = [];
  for await (const pod of view.ownPods()) pods.push(pod);
  return needlessMillis(pods, completions) / 1_000;
}
