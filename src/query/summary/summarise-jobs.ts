import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { needlessMillis } from "../../job/accounting/needless-millis.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import { countedSummary } from "./counted-summary.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { type JobFilter, matchesRow } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import type { QueryPorts } from "../ports.ts";
import type { Scope } from "../access/scope.ts";
import { groupOf, type SummaryGrouping } from "./summary-group.ts";
import { readSummary } from "../list/summary-row.ts";
import { type SummaryAnswer, SummaryTallies } from "./summary.ts";
import type { SummaryTally } from "./summary-tally.ts";

/** The most Jobs that one summary reads, newest first. */
const MAX_SUMMARISED = 50_000;
const PAGE = 500;

export interface SummaryOptions {
  readonly by?: SummaryGrouping | undefined;
  /** @default 50,000 */
  readonly bound?: number;
}

/** Counts the Jobs that meet the filter, from what the lists know of them. */
export async function summariseJobs(
  ports: QueryPorts,
  scope: Scope,
  filter: JobFilter,
  { by, bound = MAX_SUMMARISED }: SummaryOptions = {},
): Promise<SummaryAnswer> {
  const counted = await countedSummary(ports, scope, filter, by);
  if (counted !== undefined) return counted;
  const run: SummaryRun = { all: new SummaryTallies(), by, ranAgain: [] };
  let read = 0;
  let oldest: Instant | undefined;
  let partial = false;
  for await (const row of readRows(ports, scope, filter, { pageSize: PAGE })) {
    partial = read === bound;
    if (partial) break;
    read += 1;
    oldest = row.createdAt;
    tallyRow(run, filter, row);
  }
  for (const { row, tallies } of run.ranAgain) {
    // One Job after the other: a summary must not hold the Pods of all of them.
    const seconds = await needlessSecondsOf(ports.jobs, row);
    for (const tally of tallies) tally.addWaste(seconds);
  }
  return {
    ...run.all.answer(by !== undefined),
    ...(partial && oldest !== undefined && { partial: { since: formatInstant(oldest) } }),
  };
}

interface SummaryRun {
  readonly all: SummaryTallies;
  readonly by: SummaryGrouping | undefined;
  /** Jobs whose time wasted is still to be read. */
  readonly ranAgain: { readonly row: PlacedRow; readonly tallies: readonly SummaryTally[] }[];
}

function tallyRow({ all, by, ranAgain }: SummaryRun, filter: JobFilter, row: PlacedRow): void {
  const job = readSummary(row);
  if (!matchesRow(filter, row, job)) return;
  const tallies = all.of(by && groupOf(by, job));
  for (const tally of tallies) tally.add(job, row.attention);
  if (needlessRuns(job) > 0 && ranAgain.length < MAX_TIMED) ranAgain.push({ row, tallies });
}

/** Rows do not say how long a Pod ran: that is read from the Pods of so many Jobs, and the time wasted is at least that. */
const MAX_TIMED = 500;

/** The run times of the Pods that succeeded when the completions were already there. */
async function needlessSecondsOf(jobs: JobStore, row: PlacedRow): Promise<number> {
  const view = await readJob(jobs, row);
  const { completions } = readSummary(row).spec;
  if (view === undefined || completions === undefined) return 0;
  const pods: PodRecord[] = [];
  for await (const pod of view.ownPods()) pods.push(pod);
  return needlessMillis(pods, completions) / 1_000;
}
