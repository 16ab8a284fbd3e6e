import { createHash } from "node:crypto";
import type { Instant } from "../job/model/instant.ts";
import type { LogItem, LogPack } from "../ports/log.ts";
import { packSortKey, utcHour } from "../segment/pack-key.ts";

/**
 * A pack has at most this many bytes of segments, unless one segment alone has more. A reader of one segment of a
 * pack pays for the whole pack. Larger packs save at most 3 % of the write units.
 */
const MAX_PACK_BYTES = 16 * 1024;
/** The digits of a pack's name: enough for the packs of one millisecond. */
const NAME_DIGITS = 16;

export interface Packing {
  readonly arrivedAt: Instant;
  /** The number of shards among which packs are distributed, by their names. */
  readonly shards: number;
}

/** Puts segments that arrived together into as few packs as their sizes allow, in their order. */
export function packSegments<Item extends LogItem>(items: readonly Item[], packing: Packing): readonly PackOf<Item>[] {
  const groups: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (bytes + item.bytes.length > MAX_PACK_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(item);
    bytes += item.bytes.length;
  }
  return groups.map((group) => packOf(group, packing));
}

/** A pack of items with more than a log item has. */
export interface PackOf<Item extends LogItem> extends LogPack {
  readonly items: readonly Item[];
}

function packOf<Item extends LogItem>(items: readonly Item[], { arrivedAt, shards }: Packing): PackOf<Item> {
  const hash = createHash("sha256");
  for (const text of items.map(({ key, sha256 }) => `${key.pk} ${key.sk} ${sha256}\n`).sort()) hash.update(text);
  const digest = hash.digest();
  const shard = digest.readUInt32BE(0) % shards;
  const sk = packSortKey(arrivedAt, digest.toString("hex").slice(-NAME_DIGITS));
  const placed = items.map((item) => ({ ...item, key: { ...item.key, pack: { shard, arrivedAt } } }));
  return { hour: { shard, hour: utcHour(arrivedAt) }, sk, items: placed };
}
