import pLimit from "p-limit";
import { needlessMillis } from "../../job/accounting/needless-millis.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { startDelay } from "../../job/status/start-delay.ts";
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

/** The most Jobs whose Pods it reads. */
const MAX_WITH_PODS = 5_000;
/** Jobs whose Pods are read at the same time. */
const AT_ONCE = 32;
/** Pods are in order of creation: the first to run is among these. */
const MOST_PODS = 100;

export interface RowTally {
  readonly filter: JobFilter;
  readonly by?: SummaryGrouping | undefined;
  /** @default 50,000; 5,000 with start delays */
  readonly bound?: number;
  /** Whether to read when the first Pod of each Job ran. Rows do not say it. @default false */
  readonly startDelays?: boolean | undefined;
  readonly into: SummaryTallies;
}

/** Counts the Jobs that match the filter, from their list rows, newest first. */
export async function tallyRows(
  ports: RowPorts,
  scope: Scope,
  { filter, by, startDelays = false, bound = startDelays ? MAX_WITH_PODS : MAX_SUMMARISED, into }: RowTally,
): Promise<RowsRead> {
  const run: TallyRun = { all: into, by, reRunJobs: [] };
  const limit = pLimit(AT_ONCE);
  const read = await readInPages(ports, scope, {
    filter,
    bound,
    add: async (rows) => {
      const found = rows.flatMap((row) => tallyRow(run, filter, row) ?? []);
      if (startDelays) await limit.map(found, (one) => addStartDelay(ports.jobs, one));
    },
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
  readonly reRunJobs: TalliedRow[];
}

interface TalliedRow {
  readonly row: PlacedRow;
  readonly tallies: readonly SummaryTally[];
}

/** Counts a row; `undefined` if it does not match. */
function tallyRow({ all, by, reRunJobs }: TallyRun, filter: JobFilter, row: PlacedRow): TalliedRow | undefined {
  const job = readSummary(row);
  if (!matchesRow(filter, row, job)) return undefined;
  const tallies = all.of(by && groupOf(by, job));
  for (const tally of tallies) tally.add(job, row.attention);
  if (needlessRuns(job) > 0 && reRunJobs.length < MAX_TIMED) reRunJobs.push({ row, tallies });
  return { row, tallies };
}

async function addStartDelay(jobs: JobStore, { row, tallies }: TalliedRow): Promise<void> {
  const view = await readJob(jobs, row);
  const createdAt = parseInstant(readSummary(row).createdAt);
  if (view === undefined || createdAt === undefined) return;
  const pods: PodRecord[] = [];
  for await (const pod of view.ownPods()) {
    pods.push(pod);
    if (pods.length === MOST_PODS) break;
  }
  const delay = startDelay(createdAt, pods);
  if (delay !== undefined) for (const tally of tallies) tally.addStartDelay(delay / 1_000);
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
