import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { SWEEP_ROUND_KEY } from "../ports/meta-key.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { type SweepRound, sweepRound } from "../ports/records/sweep-round.ts";
import { LONG_LIVED_MS, type StoredCoverage, type WideLists } from "../ports/wide-lists.ts";
import type { SweptStores } from "./sweep-lists.ts";

/** Index entries lag by milliseconds, and the clocks of functions differ by less than a second. */
const MARGIN_MS = 30_000;
/** The functions of an earlier version have stopped so long after the first sweep of this version: 1 h. */
const ROLLOUT_MS = 3_600_000;
/** Before the first sweep, Jobs were listed without one. */
const FIRST_SWEEP_MS = 86_400_000;

export interface OpenedRound {
  readonly round: SweepRound;
  /** Whether Jobs are listed by namespace: in a store without wide lists, or in the form of an earlier version. */
  readonly hasNamespaces: boolean;
}

/** The round of this run: a new one, or that of the run before. */
export async function openRound(stores: SweptStores, now: Instant, isNew: boolean): Promise<OpenedRound> {
  const { meta, jobs } = stores;
  const coverage = jobs.wide && (await coverageOf(jobs.wide, stores, now));
  const hasNamespaces = coverage?.isConverted !== true;
  const stored = await readRecord(meta, sweepRound, SWEEP_ROUND_KEY);
  if (stored !== undefined && !isNew) return { round: stored.value, hasNamespaces };
  const round = {
    startedAt: now,
    previousStartedAt: stored?.value.startedAt ?? now,
    ...(coverage && { newFrom: coverage.sweptTo, newTo: Math.max(coverage.sweptTo, now - LONG_LIVED_MS - MARGIN_MS) }),
  };
  // A conflict is harmless: a concurrent run would have written the same rows.
  await writeRecord(meta, sweepRound, { key: SWEEP_ROUND_KEY, value: round, expected: stored?.version ?? 0 });
  return { round, hasNamespaces };
}

/** Records what a run has visited of its round. */
export async function closeRun(
  { jobs: { wide }, meta }: SweptStores,
  round: SweepRound,
  { isBehind, earlierRows }: { readonly isBehind: boolean; readonly earlierRows: number },
): Promise<void> {
  const { startedAt, newFrom, newTo } = round;
  const visited = (round.earlierRows ?? 0) + earlierRows;
  if (isBehind) return earlierRows > 0 ? noteEarlierRows(meta, { ...round, earlierRows: visited }) : undefined;
  if (wide === undefined || newTo === undefined) return;
  const coverage = await wide.readCoverage();
  // Another projection may have become the live one in the middle of the round.
  if (coverage === undefined || coverage.sweptTo !== newFrom) return;
  const { version, since, isConverted } = coverage;
  const isNowConverted = isConverted || (visited === 0 && startedAt >= since);
  await wide.writeCoverage({ since, sweptTo: newTo, isConverted: isNowConverted }, version);
}

async function noteEarlierRows(meta: SweptStores["meta"], round: SweepRound): Promise<void> {
  const stored = await readRecord(meta, sweepRound, SWEEP_ROUND_KEY);
  await writeRecord(meta, sweepRound, { key: SWEEP_ROUND_KEY, value: round, expected: stored?.version ?? 0 });
}

/**
 * What the wide lists have. The first sweep after an upgrade states from when on they will have every Job: an hour
 * later, when no function of an earlier version runs any more. A new stage has no Job that they could miss.
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
