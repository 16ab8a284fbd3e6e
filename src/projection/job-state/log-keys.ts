import type { ClusterName } from "../../job/model/ids.ts";
import type { LogKey, PackPlace } from "../../ports/log.ts";
import { type SegmentName as ClusterSegmentName, segmentKey } from "../../segment/segment-key.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Identifies a segment within its cluster, and where the log has it. */
export interface SegmentName extends Omit<ClusterSegmentName, "cluster"> {
  /** The pack in which the segment arrived first. Absent for a log item of its own. */
  readonly pack?: PackPlace;
}

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

/** The key of the segment in the log of its cluster. */
export function logKeyOf(cluster: ClusterName, { pack, ...name }: SegmentName): LogKey {
  return { ...segmentKey({ ...name, cluster }), ...(pack && { pack }) };
}

/** The sorted union of `known` and `seen`; `known` itself if `seen` adds nothing. */
export function joinSegments(known: readonly KeyedSegment[], seen: readonly KeyedSegment[]): readonly KeyedSegment[] {
  const joined: KeyedSegment[] = [];
  for (const item of [...known, ...seen].sort((a, b) => compareSortKeys(a.sortKey, b.sortKey))) {
    const before = joined.at(-1);
    if (before === undefined || compareSortKeys(before.sortKey, item.sortKey) !== 0) joined.push(item);
    else joined[joined.length - 1] = earlierCopy(before, item);
  }
  const isKnown = joined.length === known.length && joined.every((item, index) => item === known[index]);
  return isKnown ? known : joined;
}

/**
 * Which of two copies of a segment in the log is used: the one that is an item of its own, otherwise the one that
 * arrived first. So the copies and their order do not matter.
 */
export function earlierCopy(known: KeyedSegment, other: KeyedSegment): KeyedSegment {
  return comparePlaces(other.name.pack, known.name.pack) < 0 ? other : known;
}

function comparePlaces(a: PackPlace | undefined, b: PackPlace | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a.arrivedAt - b.arrivedAt || a.shard - b.shard;
}

/**
 * Encodes a table of sessions, then each segment as its difference to the one before: four to six bytes for most. The
 * positions of segments in packs follow, with three bytes for most. Earlier releases ignore them.
 */
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
  if (segments.some(({ name }) => name.pack !== undefined)) for (const { name } of segments) writePlace(writer, name);
  return writer.finish();
}

/** 0 for a log item of its own. Otherwise the shard, and how long after its sealing the segment arrived. */
function writePlace(writer: VarintWriter, { pack, sealedAt }: SegmentName): void {
  if (pack === undefined) writer.unsigned(0);
  else writer.unsigned(1 + pack.shard).signed(pack.arrivedAt - sealedAt);
}

function readPlace(reader: VarintReader, sealedAt: number): PackPlace | undefined {
  const shard = reader.unsigned() - 1;
  return shard < 0 ? undefined : { shard, arrivedAt: sealedAt + reader.signed() };
}

export function decodeSegments(bytes: Uint8Array): readonly KeyedSegment[] {
  const reader = new VarintReader(bytes);
  const sessions = Array.from({ length: reader.unsigned() }, () => reader.text());
  const last = new Map<string, number>();
  let at = 0;
  const names = Array.from({ length: reader.unsigned() }, () => {
    const sealedAt = at + reader.signed();
    const session = sessions[reader.unsigned()] ?? "";
    const sequence = (last.get(session) ?? 0) + reader.signed();
    at = sealedAt;
    last.set(session, sequence);
    return { sealedAt, session, sequence };
  });
  if (reader.isAtEnd) return names.map(keyedSegment);
  return names.map((name) => {
    const pack = readPlace(reader, name.sealedAt);
    return keyedSegment(pack === undefined ? name : { ...name, pack });
  });
}
