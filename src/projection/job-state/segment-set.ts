import type { Instant } from "../../job/model/instant.ts";
import {
  decodeSegments,
  earlierCopy,
  encodeSegments,
  joinSegments,
  type KeyedSegment,
  type SegmentName,
} from "./log-keys.ts";
import { emptyTree, PagedSet, type PageLayout, type PageStore, type PageTree } from "../pages/page-tree.ts";
import { decodeRefs, encodeRefs, PageUnreadableError } from "../pages/page-ref.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** The segments that contain facts of one Job: few are stored in its state, many in pages. */
export type SegmentSet =
  | { readonly kind: "few"; readonly segments: readonly KeyedSegment[] }
  | { readonly kind: "many"; readonly tree: PageTree };

/** The most segments that a state item lists, in about 3 KB. */
const FEW = 512;

const segmentPages: PageLayout<KeyedSegment> = {
  encode: encodeSegments,
  decode: decodeSegments,
  leafItems: 256,
  marked: false,
  join: earlierCopy,
};

export const noSegments: SegmentSet = { kind: "few", segments: [] };

/** When the latest segment was sealed; -Infinity for an empty set. */
export function latestSegmentAt(set: SegmentSet): Instant {
  const last = set.kind === "few" ? set.segments.at(-1) : set.tree.top.at(-1);
  return last?.sortKey.at ?? Number.NEGATIVE_INFINITY;
}

/** Adds `seen`; returns `set` itself if it contains them. Pages are durable when the promise resolves. */
export async function addSegments(
  set: SegmentSet,
  seen: readonly KeyedSegment[],
  store: PageStore,
): Promise<SegmentSet> {
  if (set.kind === "few") {
    const segments = joinSegments(set.segments, seen);
    if (segments === set.segments) return set;
    if (segments.length <= FEW) return { kind: "few", segments };
    return { kind: "many", tree: await new PagedSet(segmentPages, store).edit(emptyTree(segmentPages), segments) };
  }
  const tree = await new PagedSet(segmentPages, store).edit(set.tree, joinSegments([], seen));
  const same = tree.level === set.tree.level && Buffer.compare(encodeRefs(tree.top), encodeRefs(set.tree.top)) === 0;
  return same ? set : { kind: "many", tree };
}

/** The segments of a set in one list, however many they are. */
export async function listedSegments(set: SegmentSet, store: PageStore): Promise<readonly KeyedSegment[]> {
  if (set.kind === "few") return set.segments;
  const segments: KeyedSegment[] = [];
  for await (const segment of new PagedSet(segmentPages, store).items(set.tree)) segments.push(segment);
  return segments;
}

/** The names in order of sealedAt, session, sequence. */
export async function* segmentNames(set: SegmentSet, store: PageStore): AsyncGenerator<SegmentName> {
  if (set.kind === "few") for (const { name } of set.segments) yield name;
  else for await (const { name } of new PagedSet(segmentPages, store).items(set.tree)) yield name;
}

/** The segments of the set that are among `wanted`, as the set has them. */
export async function foundIn(
  set: SegmentSet,
  wanted: readonly KeyedSegment[],
  store: PageStore,
): Promise<readonly KeyedSegment[]> {
  const [first, ...rest] = joinSegments([], wanted);
  const last = rest.at(-1) ?? first;
  if (first === undefined || last === undefined) return [];
  const ids = new Set(wanted.map(({ sortKey }) => sortKey.id));
  const found: KeyedSegment[] = [];
  for await (const segment of segmentsFrom(set, first.sortKey, store)) {
    if (compareSortKeys(segment.sortKey, last.sortKey) > 0) break;
    if (ids.has(segment.sortKey.id)) found.push(segment);
  }
  return found;
}

/** The segments of `wanted` that are not in the set. Reads the pages from the first of them to the last. */
export async function missingFrom(
  set: SegmentSet,
  wanted: readonly KeyedSegment[],
  store: PageStore,
): Promise<readonly KeyedSegment[]> {
  const found = new Set((await foundIn(set, wanted, store)).map(({ sortKey }) => sortKey.id));
  return joinSegments([], wanted).filter(({ sortKey }) => !found.has(sortKey.id));
}

async function* segmentsFrom(set: SegmentSet, from: SortKey, store: PageStore): AsyncGenerator<KeyedSegment> {
  if (set.kind === "few") yield* set.segments;
  // Iteration begins after a sort key. No item has the empty id, so this key comes directly before `from`.
  else yield* new PagedSet(segmentPages, store).items(set.tree, { at: from.at, id: "" });
}

export function encodeSegmentSet(set: SegmentSet): Uint8Array {
  if (set.kind === "few") return new VarintWriter().unsigned(0).block(encodeSegments(set.segments)).finish();
  return new VarintWriter().unsigned(1).unsigned(set.tree.level).block(encodeRefs(set.tree.top)).finish();
}

export function decodeSegmentSet(bytes: Uint8Array): SegmentSet {
  const reader = new VarintReader(bytes);
  const kind = reader.unsigned();
  if (kind === 0) return { kind: "few", segments: decodeSegments(reader.block()) };
  if (kind === 1) return { kind: "many", tree: { level: reader.unsigned(), top: decodeRefs(reader.block()) } };
  throw new PageUnreadableError(
    `The segments of a stored Job state have format ${kind}, and this version of Outlive reads 0 and 1.`,
  );
}
