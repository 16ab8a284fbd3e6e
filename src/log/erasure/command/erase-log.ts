import type { ClusterName } from "../../../job/model/ids.ts";
import type { Eraser } from "../../../ports/erasing/eraser.ts";
import type { Log, LogItem, LogPack } from "../../../ports/log.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { logDays, mergedHours, readMergedHour, readWholeDay } from "../../read-log.ts";
import { decodeSegment } from "../../../segment/decode-segment.ts";
import { eraseFacts } from "../../../segment/erase-facts.ts";
import type { Segment } from "../../../segment/segment.ts";
import { dayOfKey, decodeSegmentKey } from "../../../segment/segment-key.ts";
import type { Erasure } from "../erasure.ts";

export interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/** The segments of one cluster in both layouts of the log, in the order of their keys or arrivals. */
export async function* segmentsOfCluster({ log, meta }: LogStores, cluster: ClusterName): AsyncGenerator<LogItem> {
  for await (const day of logDays(meta)) {
    if (day.cluster === cluster) for await (const items of readWholeDay(log, day)) yield* items;
  }
  for await (const { items } of packsOf({ log, meta })) yield* items.filter((item) => isOf(item, cluster));
}

/** Throws UnerasableSegmentError for a pack that cannot be read: it may have segments of any cluster. */
async function* packsOf({ log, meta }: LogStores): AsyncGenerator<LogPack> {
  for await (const shards of mergedHours(meta)) {
    for await (const pack of readMergedHour(log, shards)) {
      const damaged = pack.items.find(({ key }) => decodeSegmentKey(key) === undefined);
      if (damaged !== undefined) throw new UnerasableSegmentError(damaged, "Its pack is damaged.");
      yield pack;
    }
  }
}

function isOf({ key }: LogItem, cluster: ClusterName): boolean {
  return decodeSegmentKey(key)?.cluster === cluster;
}

/** Throws UnerasableSegmentError if the segment cannot be read. */
export function readableSegment(item: LogItem): Segment {
  const decoded = decodeSegment(item.bytes);
  if (decoded.outcome === "rejected") throw new UnerasableSegmentError(item, decoded.reason);
  return decoded.segment;
}

/** What was removed from the log. */
export interface ErasedFromLog {
  readonly segments: number;
  readonly facts: number;
}

/** Writes the remains of every segment that has erased facts, under its key. Returns how many there were. */
export async function eraseLog(
  stores: LogStores & { readonly eraser: Eraser },
  erasure: Erasure,
  cluster: ClusterName,
): Promise<ErasedFromLog> {
  const erased = { segments: 0, facts: 0 };
  const { log, meta, eraser } = stores;
  for await (const day of logDays(meta)) {
    if (day.cluster !== cluster) continue;
    for await (const items of readWholeDay(log, day)) {
      for (const item of items) {
        const remains = remainsOfItem(item, erasure, erased);
        if (remains !== undefined) await eraser.replaceItem(remains);
      }
    }
  }
  for await (const pack of packsOf(stores)) {
    const items = pack.items.map((item) => (isOf(item, cluster) ? remainsOfItem(item, erasure, erased) : undefined));
    if (items.every((remains) => remains === undefined)) continue;
    await eraser.replacePack?.({ ...pack, items: pack.items.map((item, index) => items[index] ?? item) });
  }
  return erased;
}

function remainsOfItem(
  item: LogItem,
  erasure: Erasure,
  erased: { segments: number; facts: number },
): LogItem | undefined {
  const outcome = eraseFacts(item.bytes, (segment) => {
    erasure.learn(segment);
    return (fact) => (erasure.isErased(segment.cluster, fact) ? erasure.scope.id : undefined);
  });
  if (outcome.outcome === "rejected") throw new UnerasableSegmentError(item, outcome.reason);
  if (outcome.outcome === "unchanged") return undefined;
  erased.segments += 1;
  erased.facts += outcome.gone.length;
  return { ...item, bytes: outcome.sealed.bytes, factCount: outcome.sealed.factCount };
}

/** A segment of the log cannot be read: it may have facts that are to be erased. */
export class UnerasableSegmentError extends Error {
  override readonly name = "UnerasableSegmentError";

  constructor({ key }: LogItem, reason: string) {
    super(
      `Cannot erase: segment ${key.sk} of the log (${dayOfKey(key.sk)}) cannot be read, and may have the data. ` +
        `${reason} Nothing was removed from it.`,
    );
  }
}
