import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { LogHourRegistry } from "../../../src/log/log-hour-registry.ts";
import { packSegments } from "../../../src/log/pack-segments.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import type { Log, LogItem } from "../../../src/ports/log.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { decodeSegmentKey, dayOfKey } from "../../../src/segment/segment-key.ts";

interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/** Appends segments as releases without packs did: each as an item of its own, by cluster and day. */
export async function appendSingly({ log, meta }: LogStores, items: readonly LogItem[]): Promise<readonly LogItem[]> {
  const days = new LogDayRegistry(meta);
  for (const item of items) {
    const name = decodeSegmentKey(item.key);
    if (name === undefined) throw new Error(`${item.key.sk} is no segment.`);
    await days.note({ cluster: name.cluster, day: dayOfKey(item.key.sk) });
    await log.append(item);
  }
  return items;
}

/** Appends segments as packs, `size` to a batch, which arrive a second apart. Returns them with their places. */
export async function appendInPacks(
  { log, meta }: LogStores,
  items: readonly LogItem[],
  {
    size = 3,
    arrivedAt,
    shards = 3,
  }: { readonly size?: number; readonly arrivedAt: Instant; readonly shards?: number },
): Promise<readonly LogItem[]> {
  const hours = new LogHourRegistry(meta);
  const placed: LogItem[] = [];
  for (let begin = 0; begin < items.length; begin += size) {
    const at = arrivedAt + (begin / size) * 1_000;
    for (const pack of packSegments(items.slice(begin, begin + size), { arrivedAt: at, shards })) {
      await hours.note(pack.hour);
      await log.packs?.append(pack);
      placed.push(...pack.items);
    }
  }
  return placed;
}
