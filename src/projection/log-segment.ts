import type { LogItem } from "../ports/log.ts";
import { decodeSegment } from "../segment/decode-segment.ts";
import type { LoggedSegment } from "./group-facts.ts";

/** A log item as it can be folded, or why it cannot. */
export type ReadSegment =
  | { readonly outcome: "read"; readonly segment: LoggedSegment }
  | { readonly outcome: "unreadable"; readonly reason: string };

export function readLogItem({ key, bytes }: LogItem): ReadSegment {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") return { outcome: "unreadable", reason: decoded.reason };
  const { cluster, sealedAt, session, sequence, facts } = decoded.segment;
  return { outcome: "read", segment: { key, cluster, name: { sealedAt, session, sequence }, facts } };
}
