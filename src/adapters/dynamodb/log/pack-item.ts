import type { LogItem, LogPack } from "../../../ports/log.ts";
import { decodeHourPartition, hourPartition, packArrivedAt } from "../../../segment/pack-key.ts";
import { bytes, bytesOf, type Item, number, text, textOf } from "../attribute.ts";
import { expiryOf } from "../expiry.ts";
import { decodePack, encodePack, PackUnreadableError } from "./pack-bytes.ts";

/** A pack as a DynamoDB item, which expires some days after its arrival. */
export function fromPack({ hour, sk, items }: LogPack, logDays: number): Item {
  return {
    pk: text(hourPartition(hour)),
    sk: text(sk),
    pack: bytes(encodePack(items)),
    ttl: number(expiryOf(packArrivedAt(sk), logDays)),
  };
}

/** Whether the item is a pack. Any other item of the log is a segment. */
export function isPackItem(item: Item): boolean {
  return item["pack"] !== undefined;
}

/**
 * The segments of a pack. A pack that cannot be read is one log item under the pack's own key, which no reader can
 * decode: it is reported like any damaged segment, and delays no other.
 */
export function itemsOfPack(item: Item): readonly LogItem[] {
  const [pk, sk] = [textOf(item, "pk"), textOf(item, "sk")];
  const shard = decodeHourPartition(pk)?.shard ?? 0;
  try {
    return decodePack(bytesOf(item, "pack"), { shard, arrivedAt: packArrivedAt(sk) });
  } catch (cause) {
    if (!(cause instanceof PackUnreadableError)) throw cause;
    return [{ key: { pk, sk }, bytes: bytesOf(item, "pack"), sha256: "", factCount: 0 }];
  }
}
