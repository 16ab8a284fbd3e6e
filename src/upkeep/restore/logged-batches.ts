import type { LogHour, LogItem } from "../../ports/log.ts";
import { decodeHourPartition, packArrivedAt, utcHour } from "../../segment/pack-key.ts";
import { sealedAtOf } from "../../segment/segment-key.ts";
import type { RestoreBatch } from "./restore-segments.ts";
import type { ArrivedBytes } from "./restored-bytes.ts";

/**
 * The segments of another log table, in batches of one shard and hour. A segment of its own, which an early release
 * wrote, counts as arrived when it was sealed.
 */
export async function* loggedBatches(pages: AsyncIterable<readonly LogItem[]>): AsyncGenerator<RestoreBatch> {
  for await (const items of pages) {
    const batches = new Map<string, { readonly segments: ArrivedBytes[]; readonly shards: readonly LogHour[] }>();
    for (const item of items) {
      const { place, arrivedAt } = arrivalOf(item);
      const id = `${place.shard} ${place.hour}`;
      const batch = batches.get(id) ?? { segments: [], shards: [place] };
      batch.segments.push({ bytes: item.bytes, arrivedAt });
      batches.set(id, batch);
    }
    yield* batches.values();
  }
}

/** A segment of its own is looked up in shard 0 of its hour. If it is not there, it is sent, which is harmless. */
function arrivalOf({ key }: LogItem) {
  const damaged = decodeHourPartition(key.pk);
  if (damaged !== undefined) return { place: damaged, arrivedAt: packArrivedAt(key.sk) };
  const arrivedAt = key.pack?.arrivedAt ?? sealedAtOf(key.sk);
  return { place: { shard: key.pack?.shard ?? 0, hour: utcHour(arrivedAt) }, arrivedAt };
}
