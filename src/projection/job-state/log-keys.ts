import type { SegmentName as ClusterSegmentName } from "../../segment/segment-key.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Names one segment among those of its cluster. */
export type SegmentName = Omit<ClusterSegmentName, "cluster">;

/** A segment's name as an item of a sorted set. */
export interface PlacedSegment {
  readonly place: SortKey;
  readonly name: SegmentName;
}

/** Digits enough that sequences sort as text as they do as numbers. */
const SEQUENCE_DIGITS = 16;

export function placeSegment(name: SegmentName): PlacedSegment {
  const { sealedAt, session, sequence } = name;
  return { place: { at: sealedAt, id: `${session}#${String(sequence).padStart(SEQUENCE_DIGITS, "0")}` }, name };
}

/** `known` and `seen` together, sorted, each once; `known` itself where `seen` adds nothing. */
export function joinSegments(
  known: readonly PlacedSegment[],
  seen: readonly PlacedSegment[],
): readonly PlacedSegment[] {
  const all = [...known, ...seen].sort((a, b) => compareSortKeys(a.place, b.place));
  const joined = all.filter((item, index) => {
    const before = all[index - 1];
    return before === undefined || compareSortKeys(before.place, item.place) !== 0;
  });
  return joined.length === known.length ? known : joined;
}

/** A table of the sessions, then each segment by what it differs from the one before: four to six bytes for most. */
export function encodeSegments(segments: readonly PlacedSegment[]): Uint8Array {
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

export function decodeSegments(bytes: Uint8Array): readonly PlacedSegment[] {
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
    return placeSegment({ sealedAt, session, sequence });
  });
}
