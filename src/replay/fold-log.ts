import type { Log, LogDay, LogItem, LogKey } from "../ports/log.ts";
import { projectSegments, type Refold } from "../projection/project-segments.ts";
import type { Retry } from "../concurrency/retry.ts";
import { packArrivedAt, utcHour } from "../segment/pack-key.ts";
import { logDays, mergedHours, readItems, readMergedHour, readWholeDay } from "./read-log.ts";
import type { ReplayCheckpoint, ReplayStage } from "../ports/records/replay-checkpoint.ts";
import type { ReplayPorts, ReplayRun } from "./replay-run.ts";
import { type StoredCheckpoint, writeCheckpoint } from "./replay-checkpoint.ts";

export type FoldedLog =
  | { readonly outcome: "folded" | "paused"; readonly stored: StoredCheckpoint }
  | { readonly outcome: "overtaken" };

/** Facts projected together: a Job's state is written once for all of them. They take 0.1 GB of memory at most. */
const FACTS_AT_ONCE = 20_000;
/** A checkpoint can contain this many keys, about 100 KB. With more failures, the replay stops. */
export const MOST_FAILED = 1_000;

/** Projects the log from the checkpoint on, and writes a checkpoint after each batch. */
export async function foldLog(ports: ReplayPorts, run: ReplayRun, from: StoredCheckpoint): Promise<FoldedLog> {
  const { hasTime = () => true, onProgress } = run;
  let stored = from;
  for await (const batch of batches(ports, from)) {
    if (!hasTime()) return { outcome: "paused", stored };
    const written = await foldBatch(ports, { retry: run.retry, from: stored, batch });
    if (written === "conflict") return { outcome: "overtaken" };
    stored = written;
    onProgress?.(stored.checkpoint.segments);
    if (stored.checkpoint.failed.length >= MOST_FAILED) break;
  }
  return { outcome: "folded", stored };
}

/** Retries failed items once, and returns those that fail again. */
export async function foldOnceMore(
  { log, meta, projections }: ReplayPorts,
  { retry, hasTime = () => true }: ReplayRun,
  { building, failed }: ReplayCheckpoint,
): Promise<readonly Refold[] | "paused"> {
  const left: Refold[] = [];
  for (const key of failed) {
    if (!hasTime()) return "paused";
    const items = await readItems(log, key);
    if (items.length === 0) left.push({ key, cause: "The log no longer has this item." });
    else left.push(...(await projectSegments({ jobs: projections.open(building), meta }, items, retry)).refold);
  }
  return left;
}

/** Where a replay has come after a batch. */
type Place = Omit<Extract<ReplayStage, { readonly stage: "folding" }>, "stage">;

interface Batch {
  readonly items: readonly LogItem[];
  /** The place after the items. */
  readonly place: Place;
}

async function foldBatch(
  { meta, projections, atOnce = (work) => work() }: ReplayPorts,
  { retry, from, batch }: { readonly retry: Retry; readonly from: StoredCheckpoint; readonly batch: Batch },
): Promise<StoredCheckpoint | "conflict"> {
  const { checkpoint, version } = from;
  const { place, items } = batch;
  let written: StoredCheckpoint | "conflict" = "conflict";
  await atOnce(async () => {
    const { refold } = await projectSegments({ jobs: projections.open(checkpoint.building), meta }, items, retry);
    const next = {
      ...checkpoint,
      stage: { stage: "folding", ...place },
      segments: checkpoint.segments + items.length,
      failed: [...checkpoint.failed, ...refold.map(({ key }) => key)],
    } as const;
    written = await writeCheckpoint(meta, next, version);
  });
  return written;
}

async function* batches(ports: ReplayPorts, { checkpoint }: StoredCheckpoint): AsyncGenerator<Batch> {
  const { stage } = checkpoint;
  if (stage.stage !== "folding") return;
  const { log, meta } = ports;
  if (stage.pack === undefined) {
    if (stage.day !== undefined) yield* inBatches(itemsOfDay(log, stage.day, stage.after));
    for await (const day of logDays(meta, stage.day)) yield* inBatches(itemsOfDay(log, day));
  }
  yield* inBatches(itemsOfPacks(ports, stage.pack));
}

async function* itemsOfDay(log: Log, day: LogDay, after?: LogKey): AsyncGenerator<Batch> {
  for await (const page of readWholeDay(log, day, after)) {
    for (const item of page) yield { items: [item], place: { day, after: item.key } };
  }
}

/** Packs in order of arrival, whatever their shard: so the segments of a Job are close together. */
async function* itemsOfPacks({ log, meta }: ReplayPorts, after?: string): AsyncGenerator<Batch> {
  // The hour of `after` itself is not finished.
  const before = after === undefined ? undefined : utcHour(packArrivedAt(after) - HOUR_MILLIS);
  for await (const shards of mergedHours(meta, before)) {
    for await (const { sk, items } of readMergedHour(log, shards, after)) yield { items, place: { pack: sk } };
  }
}

const HOUR_MILLIS = 3_600_000;

async function* inBatches(some: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let items: LogItem[] = [];
  let facts = 0;
  let last: Place | undefined;
  for await (const { items: more, place } of some) {
    items.push(...more);
    last = place;
    facts += more.reduce((sum, { factCount }) => sum + factCount, 0);
    if (facts < FACTS_AT_ONCE) continue;
    yield { items, place };
    items = [];
    facts = 0;
  }
  if (items.length > 0 && last !== undefined) yield { items, place: last };
}
