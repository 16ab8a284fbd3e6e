import type { LogDay, LogItem } from "../ports/log.ts";
import { projectSegments, type Refold } from "../projection/project-segments.ts";
import type { Retry } from "../concurrency/retry.ts";
import { logDays, readWholeDay } from "./read-log.ts";
import type { ReplayCheckpoint } from "../ports/records/replay-checkpoint.ts";
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
    const item = await log.read(key);
    if (item === undefined) left.push({ key, cause: "The log no longer has this item." });
    else left.push(...(await projectSegments({ jobs: projections.open(building), meta }, [item], retry)).refold);
  }
  return left;
}

interface Batch {
  readonly day: LogDay;
  readonly items: readonly LogItem[];
}

async function foldBatch(
  { meta, projections, atOnce = (work) => work() }: ReplayPorts,
  { retry, from, batch }: { readonly retry: Retry; readonly from: StoredCheckpoint; readonly batch: Batch },
): Promise<StoredCheckpoint | "conflict"> {
  const { checkpoint, version } = from;
  const { day, items } = batch;
  let written: StoredCheckpoint | "conflict" = "conflict";
  await atOnce(async () => {
    const { refold } = await projectSegments({ jobs: projections.open(checkpoint.building), meta }, items, retry);
    const after = items.at(-1)?.key;
    const next = {
      ...checkpoint,
      stage: { stage: "folding", day, ...(after !== undefined && { after }) },
      segments: checkpoint.segments + items.length,
      failed: [...checkpoint.failed, ...refold.map(({ key }) => key)],
    } as const;
    written = await writeCheckpoint(meta, next, version);
  });
  return written;
}

async function* batches({ log, meta }: ReplayPorts, { checkpoint }: StoredCheckpoint): AsyncGenerator<Batch> {
  const { stage } = checkpoint;
  if (stage.stage !== "folding") return;
  if (stage.day !== undefined) yield* dayInBatches(readWholeDay(log, stage.day, stage.after), stage.day);
  for await (const day of logDays(meta, stage.day)) yield* dayInBatches(readWholeDay(log, day), day);
}

async function* dayInBatches(pages: AsyncIterable<readonly LogItem[]>, day: LogDay): AsyncGenerator<Batch> {
  let items: LogItem[] = [];
  let facts = 0;
  for await (const page of pages) {
    for (const item of page) {
      items.push(item);
      facts += item.factCount;
      if (facts < FACTS_AT_ONCE) continue;
      yield { day, items };
      items = [];
      facts = 0;
    }
  }
  if (items.length > 0) yield { day, items };
}
