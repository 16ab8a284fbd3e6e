import type { LogItem } from "../ports/log.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import type { Segment } from "../segment/segment.ts";
import type { LoggedSegment } from "./group-facts.ts";

/** A log item, and its segment if the caller decoded it already: decoding takes a tenth of the time of an import. */
export interface OpenedItem extends LogItem {
  readonly segment?: Segment;
}

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
