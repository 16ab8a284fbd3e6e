import { createHash } from "node:crypto";
import { itemBytes } from "../../src/adapters/dynamodb/item-size.ts";
import { fromLogItem } from "../../src/adapters/dynamodb/log/log-item.ts";
import { segmentKey } from "../../src/segment/segment-key.ts";
import type { SegmentCodec, Unsealed } from "./codecs.ts";

const RETENTION_DAYS = 400;
const WRITE_UNIT_BYTES = 1024;
/** The overhead of a segment in a pack: its key, its SHA-256 and two lengths. */
const IN_PACK_BYTES = 32 + 4;

export interface Written {
  readonly bytes: number;
  /** Write units if each segment is an item of the log. */
  readonly itemUnits: number;
  /** Write units if segments share items of `packBytes`. The last pack counts by its filled part. */
  readonly packUnits: number;
}

export function written(codec: SegmentCodec, segments: readonly Unsealed[], packBytes: number): Written {
  let [bytes, itemUnits, packed] = [0, 0, 0];
  for (const segment of segments) {
    const encoded = codec.encode(segment);
    const key = segmentKey(segment);
    const sha256 = createHash("sha256").update(encoded).digest("hex");
    const item = fromLogItem({ key, bytes: encoded, sha256, factCount: segment.facts.length }, RETENTION_DAYS);
    bytes += encoded.length;
    itemUnits += Math.ceil(itemBytes(item) / WRITE_UNIT_BYTES);
    packed += encoded.length + key.pk.length + key.sk.length + IN_PACK_BYTES;
  }
  // A pack is filled until the next segment does not fit. Its attribute names and rounding cost about one unit.
  const packs = packed / packBytes;
  return { bytes, itemUnits, packUnits: (packed + packs * WRITE_UNIT_BYTES) / WRITE_UNIT_BYTES };
}
