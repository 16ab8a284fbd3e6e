import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import { EARLIEST, HOUR_MILLIS, hourOf, type Instant } from "../job/model/instant.ts";
import type { JobStore } from "../ports/jobs.ts";
import type { CountPosition } from "./count-records.ts";
import { readRows } from "../query/list/list-jobs.ts";
import { coarsened } from "./coarseness.ts";
import { CountTable } from "./count-table.ts";
import { type CountPorts, type CountRun, JobCounter, knownClusters, SETTLE_MS } from "./count-jobs.ts";
import { gatherBatches } from "./gather-batches.ts";
import { needsState, shareOf } from "./job-share.ts";
import { listHours } from "./list-sums.ts";
import { CountsHeldError } from "./open-position.ts";
import { rollUp } from "./roll-up.ts";
import {
  coarseInDay,
  DAY_SUMS,
  type DaySum,
  dayKey,
  dayOf,
  hourKey,
  hoursIn,
  inDay,
  plus,
  readSum,
  type StoredSum,
  type SumsOf,
  writeSum,
} from "./sums.ts";
import { packTable } from "./table-text.ts";
import { SumsConflictError } from "./metrics/sums/sums-errors.ts";

export interface VerifyPorts extends CountPorts {
  /** The projection whose Jobs are counted. */
  readonly jobs: JobStore;
}

export interface VerifyRun extends CountRun {
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * - `verified`: an hour was counted again from its Jobs.
 * - `busy`: its Jobs changed meanwhile, or another process counts. The next run tries again.
 * - `resting`: nothing is due.
 */
export interface Verified {
  readonly outcome: "verified" | "busy" | "resting";
  /** Sums that were wrong and have been corrected from the Jobs. */
  readonly mismatches: number;
  /** The beginning of the hour. */
  readonly hour?: Instant;
}

/** An older hour is counted again this long after its end: most of its Jobs have finished, so its sums rest. */
const RESTS_AFTER_MS = 10 * 60_000;
/** How many hours ago the first hour to be counted again ended. */
const FIRST_HOURS_AGO = 3;
/** How far back hours are counted again, and how often one of them is. */
const VERIFIED_MS = 7 * 86_400_000;
const EVERY_MS = HOUR_MILLIS;
const PAGE = 500;
const CLUSTERS_AT_ONCE = 8;

/**
 * Counts one hour again from the lists of its Jobs, and corrects its sums. While there are older Jobs that were stored
 * before counting began, it counts the next older hour instead. An hour whose Jobs change at the same time is left for
 * later, so that sums and Jobs are of the same moment.
 */
export async function verifyCounts(ports: VerifyPorts, run: VerifyRun): Promise<Verified> {
  // The writes of a projection are kept apart until its metrics are shown.
  if (ports.metrics?.isShown === false) return BUSY;
  try {
    const counter = await JobCounter.open(ports, { ...run, eager: true });
    if (counter === undefined) return BUSY;
    // Checked before all writes are counted: counting costs more the less the writes have waited.
    const due = await dueHour(ports, counter.position, run.now());
    if (due === undefined) return { outcome: "resting", mismatches: 0 };
    await counter.catchUp();
    return await verify({ ports, run, counter }, due);
  } catch (cause) {
    if (cause instanceof SumsConflictError || cause instanceof CountsHeldError) return BUSY;
    throw cause;
  }
}

const BUSY = { outcome: "busy", mismatches: 0 } as const;

/** The hours to correct. Only the first one has Jobs, and it was counted; the others are empty. */
interface DueHours {
  /** `undefined` where no older Jobs exist. */
  readonly hour: Instant | undefined;
  readonly end: Instant;
  /** Whether the sums were incomplete before. */
  readonly isOlder: boolean;
}

async function dueHour(ports: VerifyPorts, position: CountPosition, now: Instant): Promise<DueHours | undefined> {
  const { since, verify: last } = position;
  if (since > EARLIEST) return olderHours(ports, since, now);
  if (last !== undefined && now - last.at < EVERY_MS) return undefined;
  const first = hourOf(now) - FIRST_HOURS_AGO * HOUR_MILLIS;
  const next = last === undefined ? first : last.hour - HOUR_MILLIS;
  const hour = next < now - VERIFIED_MS ? first : next;
  return { hour, end: hour + HOUR_MILLIS, isOlder: false };
}

async function olderHours({ jobs, meta }: VerifyPorts, since: Instant, now: Instant): Promise<DueHours | undefined> {
  for await (const { createdAt } of readRows({ jobs, meta }, "everything", {
    filter: { createdBefore: since },
    pageSize: 1,
  })) {
    const hour = hourOf(createdAt);
    return hour + HOUR_MILLIS + RESTS_AFTER_MS > now ? undefined : { hour, end: since, isOlder: true };
  }
  return { hour: undefined, end: since, isOlder: true };
}

interface Verification {
  readonly ports: VerifyPorts;
  readonly run: VerifyRun;
  readonly counter: JobCounter;
}

async function verify({ ports, run, counter }: Verification, due: DueHours): Promise<Verified> {
  const { hour = EARLIEST, end, isOlder } = due;
  const counted = await recount(ports, run, due);
  if (counted === undefined) return BUSY;
  await run.pause(SETTLE_MS);
  const { differences, isPartial } = await gatherBatches(ports, {
    since: EARLIEST,
    activeFrom: counter.position.activeFrom,
  });
  if (isPartial || differences.touches(hour, end)) return BUSY;
  let mismatches = 0;
  await counter.holding(async (position) => {
    const corrected = await correctAll(ports, { ...due, hour, round: position.round }, counted);
    mismatches = isOlder ? 0 : corrected;
    if (isOlder) return { since: due.hour ?? EARLIEST };
    return { verify: { hour, at: run.now() } };
  });
  return { outcome: "verified", mismatches, hour };
}

/** The Jobs of the hour by cluster; `undefined` where time ran out. */
async function recount(
  { jobs, meta }: VerifyPorts,
  { hasTime = () => true }: VerifyRun,
  { hour }: DueHours,
): Promise<ReadonlyMap<ClusterName, CountTable> | undefined> {
  const tables = new Map<ClusterName, CountTable>();
  if (hour === undefined) return tables;
  const filter = { createdAfter: hour - 1, createdBefore: hour + HOUR_MILLIS };
  for await (const { cluster, jobUid, ...row } of readRows({ jobs, meta }, "everything", { filter, pageSize: PAGE })) {
    if (!hasTime()) return undefined;
    const stored = needsState(row) ? await jobs.read({ cluster, jobUid }) : undefined;
    const share = shareOf(jobUid, { bytes: stored?.bytes ?? new Uint8Array(), row });
    const table = tables.get(cluster) ?? new CountTable();
    if (share !== undefined) table.add(share.cell);
    tables.set(cluster, table);
  }
  return tables;
}

interface Correction extends DueHours {
  readonly hour: Instant;
  /** The last round, which is in all sums. */
  readonly round: number;
}

/** Returns how many sums were wrong. */
async function correctAll(
  ports: VerifyPorts,
  correction: Correction,
  counted: ReadonlyMap<ClusterName, CountTable>,
): Promise<number> {
  const clusters = await knownClusters(ports.meta);
  const corrected = await pLimit(CLUSTERS_AT_ONCE).map(clusters, (cluster) =>
    correctCluster({ ...ports, cluster }, correction, counted.get(cluster) ?? new CountTable()),
  );
  // Days have the hours that were counted for the first time as well.
  await rollUp(ports, [...counted.keys()], correction);
  return corrected.reduce((sum, wrong) => sum + wrong, 0);
}

async function correctCluster(of: SumsOf, { hour, end, round }: Correction, counted: CountTable): Promise<number> {
  let wrong = 0;
  const isCorrected = async (at: Instant, table: CountTable) => {
    const sum = await readSum(of, hourKey(of, at));
    if (isSame(sum, table)) return;
    wrong += 1;
    const correct = coarsened(table, sum.coarse);
    await writeSum(of, hourKey(of, at), { ...sum, table: correct, round: Math.max(sum.round, round) });
  };
  await isCorrected(hour, counted);
  for await (const stale of listHours(of, { from: hour + HOUR_MILLIS, to: end })) {
    await isCorrected(stale.hour, new CountTable());
  }
  for (const by of DAY_SUMS) wrong += await correctDay(of, by, { hour, round });
  return wrong;
}

/** Whether a sum has the counts of a table, as far as it distinguishes them. */
function isSame(sum: StoredSum, table: CountTable): boolean {
  return packTable(sum.table) === packTable(coarsened(table, sum.coarse));
}

/** Compares the sum of a day with those of its hours. */
async function correctDay(
  of: SumsOf,
  by: DaySum,
  { hour, round }: Pick<Correction, "hour" | "round">,
): Promise<number> {
  const key = dayKey(of, by, dayOf(hour));
  const sum = await readSum(of, key);
  if (sum.version === 0) return 0;
  const correct = await sumOfHours(of, by, { ...sum, day: dayOf(hour) });
  if (correct.coarse === sum.coarse && isSame(sum, correct.table)) return 0;
  await writeSum(of, key, { ...correct, round: Math.max(sum.round, round) });
  return 1;
}

/** The sum of a day as its hours are. */
async function sumOfHours(of: SumsOf, by: DaySum, stored: StoredSum & { readonly day: string }): Promise<StoredSum> {
  let sum: StoredSum = { ...stored, table: new CountTable() };
  for (const hour of hoursIn(stored.day, stored.hours)) {
    const { table, coarse } = await readSum(of, hourKey(of, hour));
    sum = plus(sum, { table: inDay(by, hour, table), coarse: coarseInDay(by, coarse) });
  }
  return sum;
}
