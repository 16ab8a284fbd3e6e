import type { LogItem } from "../../../ports/log.ts";
import { LOG_MORE_DAYS } from "../../../ports/log.ts";
import { sealedAtOf } from "../../../segment/segment-key.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import { expiryOf } from "../expiry.ts";

/** A log item as a DynamoDB item. Attribute names count towards its size, so they are short. */
export function fromLogItem({ key, bytes: segment, sha256, factCount }: LogItem, retentionDays: number): Item {
  return {
    pk: text(key.pk),
    sk: text(key.sk),
    segment: bytes(segment),
    sha256: bytes(Buffer.from(sha256, "hex")),
    facts: number(factCount),
    ttl: number(expiryOf(sealedAtOf(key.sk), retentionDays + LOG_MORE_DAYS)),
  };
}

export function toLogItem(item: Item): LogItem {
  return {
    key: { pk: textOf(item, "pk"), sk: textOf(item, "sk") },
    bytes: bytesOf(item, "segment"),
    sha256: storedSha256(item),
    factCount: numberOf(item, "facts"),
  };
}

export function storedSha256(item: Item): string {
  return Buffer.from(bytesOf(item, "sha256")).toString("hex");
}
