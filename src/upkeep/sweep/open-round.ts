import { EARLIEST, type Instant } from "../../job/model/instant.ts";
import { SWEEP_ROUND_KEY, sweepShardKey } from "../../ports/meta-key.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { type SweepCheckpoint, sweepCheckpoint, type SweepPosition } from "../../ports/records/sweep-checkpoint.ts";
import { type SweepRound, sweepRound } from "../../ports/records/sweep-round.ts";
import { LONG_LIVED_MS, type StoredCoverage, type WideLists } from "../../ports/wide-lists.ts";
import type { SweepShard, SweptStores } from "./sweep-lists.ts";

/** Index entries lag by milliseconds, and the clocks of functions differ by less than a second. */
const MARGIN_MS = 30_000;
/** How long after the first sweep of this version functions of an earlier version have certainly stopped: 1 h. */
const ROLLOUT_MS = 3_600_000;
/** The version of the round before the first sweep. */
const FIRST_SWEEP_MS = 86_400_000;

export interface OpenedRound {
  readonly round: SweepRound;
  /** The version of the round's record. No other round has the same one. */
  readonly number: number;
  /** Whether Jobs are listed by namespace: in a store without wide lists, or if an earlier version wrote them. */
  readonly hasNamespaces: boolean;
  /** How far the shard has visited its lists. */
  readonly own: StoredCheckpoint;
}

/** The progress of a shard, and the version of its record. */
interface StoredCheckpoint extends SweepCheckpoint {
  readonly version: number;
  /** Nothing of the round was visited. */
  readonly isFirst: boolean;
}

/**
 * The round that a shard visits: a new one if all shards have visited their lists, otherwise the current one. Shards
 * that start at the same time join one round.
 */
export async function openRound(stores: SweptStores, now: Instant, shard: SweepShard): Promise<OpenedRound> {
  const stored = await readRecord(stores.meta, sweepRound, SWEEP_ROUND_KEY);
  if (stored !== undefined && !(await closeRound(stores, stored.value, { number: stored.version, of: shard.of }))) {
    return join(stores, stored, { now, shard });
  }
  return join(stores, await newRound(stores, now, stored), { now, shard });
}

interface StoredRound {
  readonly value: SweepRound;
  readonly version: number;
}

/** A new round, or the one that another shard began at the same time. */
async function newRound(stores: SweptStores, now: Instant, last: StoredRound | undefined): Promise<StoredRound> {
  const { meta, jobs } = stores;
  const coverage = jobs.wide && (await coverageOf(jobs.wide, stores, now));
  const value = {
    startedAt: now,
    previousStartedAt: last?.value.startedAt ?? now,
    ...(coverage && { newFrom: coverage.sweptTo, newTo: Math.max(coverage.sweptTo, now - LONG_LIVED_MS - MARGIN_MS) }),
  };
  const write = { key: SWEEP_ROUND_KEY, value, expected: last?.version ?? 0 };
  const written = await writeRecord(meta, sweepRound, write);
  if (written.outcome === "written") return { value, version: written.version };
  return (await readRecord(meta, sweepRound, SWEEP_ROUND_KEY)) ?? { value, version: 0 };
}

async function join(
  stores: SweptStores,
  { value: round, version: number }: StoredRound,
  { now, shard }: { readonly now: Instant; readonly shard: SweepShard },
): Promise<OpenedRound> {
  const coverage = stores.jobs.wide && (await coverageOf(stores.jobs.wide, stores, now));
  const own = await readCheckpoint(stores, shard, number);
  return { round, number, hasNamespaces: coverage?.isConverted !== true, own };
}

async function readCheckpoint(
  { meta }: SweptStores,
  { index, of }: SweepShard,
  number: number,
): Promise<StoredCheckpoint> {
  const stored = await readRecord(meta, sweepCheckpoint, sweepShardKey(index, of));
  const version = stored?.version ?? 0;
  if (stored?.value.round === number) return { ...stored.value, version, isFirst: false };
  return { round: number, position: null, earlierRows: 0, version, isFirst: true };
}

/** Records what a shard has visited of its round. Returns whether all shards have visited their lists. */
export async function closeRun(
  stores: SweptStores,
  { round, number, own }: OpenedRound,
  { shard, position, earlierRows }: VisitedShard,
): Promise<boolean> {
  const value = { round: number, position: position ?? null, earlierRows: own.earlierRows + earlierRows };
  // A conflict is harmless: a concurrent run would have written the same rows.
  const write = { key: sweepShardKey(shard.index, shard.of), value, expected: own.version };
  await writeRecord(stores.meta, sweepCheckpoint, write);
  return closeRound(stores, round, { number, of: shard.of });
}

interface VisitedShard {
  readonly shard: SweepShard;
  /** `undefined` at the end of its last list. */
  readonly position: SweepPosition | undefined;
  readonly earlierRows: number;
}

/** Records what the lists contain once all shards have visited theirs. Returns whether they have. */
async function closeRound(
  stores: SweptStores,
  { startedAt, newFrom, newTo }: SweepRound,
  { number, of }: { readonly number: number; readonly of: number },
): Promise<boolean> {
  const shards = await Promise.all(
    Array.from({ length: of }, (_, index) => readCheckpoint(stores, { index, of }, number)),
  );
  if (shards.some(({ isFirst, position }) => isFirst || position !== null)) return false;
  const { wide } = stores.jobs;
  if (wide === undefined || newTo === undefined) return true;
  const coverage = await wide.readCoverage();
  // Another projection may have become the live one in the middle of the round.
  if (coverage === undefined || coverage.sweptTo !== newFrom) return true;
  const { version, since, isConverted } = coverage;
  const earlierRows = shards.reduce((sum, each) => sum + each.earlierRows, 0);
  const isNowConverted = isConverted || (earlierRows === 0 && startedAt >= since);
  // A conflict is harmless: another shard has recorded the same.
  await wide.writeCoverage({ since, sweptTo: newTo, isConverted: isNowConverted }, version);
  return true;
}

/**
 * What the wide lists contain. The first sweep after an upgrade records the instant from which they will contain every
 * Job: an hour later, when no function of an earlier version is running. A new stage has no Job that they could lack.
 */
async function coverageOf(wide: WideLists, { meta }: SweptStores, now: Instant): Promise<StoredCoverage> {
  const stored = await wide.readCoverage();
  if (stored !== undefined) return stored;
  const isNewStage = (await meta.list("cluster", { prefix: "", limit: 1 })).records.length === 0;
  const first = {
    since: isNewStage ? EARLIEST : now + ROLLOUT_MS,
    sweptTo: now - FIRST_SWEEP_MS,
    isConverted: isNewStage,
  };
  await wide.writeCoverage(first, 0);
  return (await wide.readCoverage()) ?? { ...first, version: 1 };
}
