import type { SegmentName as ClusterSegmentName } from "../../segment/segment-key.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Identifies a segment within its cluster. */
export type SegmentName = Omit<ClusterSegmentName, "cluster">;

/** A segment's name with its sort key. */
export interface KeyedSegment {
  readonly sortKey: SortKey;
  readonly name: SegmentName;
}

/** With this many digits, sequence numbers sort as text. */
const SEQUENCE_DIGITS = 16;

export function keyedSegment(name: SegmentName): KeyedSegment {
  const { sealedAt, session, sequence } = name;
  return { sortKey: { at: sealedAt, id: `${session}#${String(sequence).padStart(SEQUENCE_DIGITS, "0")}` }, name };
}

/** The sorted union of `known` and `seen`; `known` itself if `seen` adds nothing. */
export function joinSegments(known: readonly KeyedSegment[], seen: readonly KeyedSegment[]): readonly KeyedSegment[] {
  const all = [...known, ...seen].sort((a, b) => compareSortKeys(a.sortKey, b.sortKey));
  const joined = all.filter((item, index) => {
    const before = all[index - 1];
    return before === undefined || compareSortKeys(before.sortKey, item.sortKey) !== 0;
  });
  return joined.length === known.length ? known : joined;
}

/** Encodes a table of sessions, then each segment as its difference to the one before: four to six bytes for most. */
export function encodeSegments(segments: readonly KeyedSegment[]): Uint8Array {
  const sessions = [...new Set(segments.map(({ name }) => name.session))].sort();
  const writer = new VarintWriter().unsigned(sessions.length);
  for (const session of sessions) writer.text(session);
  writer.unsigned(segments.length);
  const number = new Map(sessions.map((session, index) => [session, index]));
  let at = 0;
  const last = new Map<string, number>();
  for (const { name } of segments) {
    writer.signed(name.sealedAt - at).unsigned(number.get(name.session) ?? 0);
    writer.signed(name.sequence - (last.get(name.session) ?? 0));
    at = name.sealedAt;
    last.set(name.session, name.sequence);
  }
  return writer.finish();
}

export function decodeSegments(bytes: Uint8Array): readonly KeyedSegment[] {
  const reader = new VarintReader(bytes);
  const sessions = Array.from({ length: reader.unsigned() }, () => reader.text());
  const last = new Map<string, number>();
  let at = 0;
  return Array.from({ length: reader.unsigned() }, () => {
    const sealedAt = at + reader.signed();
    const session = sessions[reader.unsigned()] ?? "";
    const sequence = (last.get(session) ?? 0) + reader.signed();
    at = sealedAt;
    last.set(session, sequence);
    return keyedSegment({ sealedAt, session, sequence });
  });
}
