import type { OpenedItem } from "../ports/log.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import type { LoggedSegment } from "./group-facts.ts";

/** A decoded log item, or the reason why it cannot be decoded. */
export type ReadSegment =
  | { readonly outcome: "read"; readonly segment: LoggedSegment }
  | { readonly outcome: "unreadable"; readonly reason: string };

export function readLogItem({ key, bytes, segment }: OpenedItem): ReadSegment {
  const decoded = segment === undefined ? decodeSegment(bytes) : { outcome: "decoded" as const, segment };
  if (decoded.outcome === "rejected") return { outcome: "unreadable", reason: decoded.reason };
  const { cluster, sealedAt, session, sequence, facts, erased } = decoded.segment;
  const name = { sealedAt, session, sequence, ...(key.pack && { pack: key.pack }) };
  return { outcome: "read", segment: { key, cluster, name, facts, ...(erased && { erased }) } };
}
