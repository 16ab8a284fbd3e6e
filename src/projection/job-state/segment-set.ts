import type { Instant } from "../../job/model/instant.ts";
import { decodeSegments, encodeSegments, joinSegments, type PlacedSegment, type SegmentName } from "./log-keys.ts";
import { emptyTree, PagedSet, type PageLayout, type PageStore, type PageTree } from "../pages/page-tree.ts";
import { decodeRefs, encodeRefs, PageUnreadableError } from "../pages/page-ref.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** The segments that hold facts of one Job: in its state while they are few, in pages of their own when there are many. */
export type SegmentSet =
  | { readonly kind: "few"; readonly segments: readonly PlacedSegment[] }
  | { readonly kind: "many"; readonly tree: PageTree };

/** The most segments that a state item lists itself: some 3 KB. */
const FEW = 512;

const segmentPages: PageLayout<PlacedSegment> = {
  encode: encodeSegments,
  decode: decodeSegments,
  leafItems: 256,
  marked: false,
};

export const noSegments: SegmentSet = { kind: "few", segments: [] };

/** When the latest of them was sealed; before every instant where there is none. */
export function latestSegmentAt(set: SegmentSet): Instant {
  const last = set.kind === "few" ? set.segments.at(-1) : set.tree.top.at(-1);
  return last?.place.at ?? Number.NEGATIVE_INFINITY;
}

/** `set` with `seen` in it; `set` itself where it holds them all. Pages are durable when the promise resolves. */
export async function addSegments(
  set: SegmentSet,
  seen: readonly PlacedSegment[],
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

/** The names in order of sealedAt, session, sequence. */
export async function* segmentNames(set: SegmentSet, store: PageStore): AsyncGenerator<SegmentName> {
  if (set.kind === "few") for (const { name } of set.segments) yield name;
  else for await (const { name } of new PagedSet(segmentPages, store).items(set.tree)) yield name;
}

/** Those of `wanted` that are not in the set. Reads the pages from the first of them to the last. */
export async function lackingIn(
  set: SegmentSet,
  wanted: readonly PlacedSegment[],
  store: PageStore,
): Promise<readonly PlacedSegment[]> {
  const lacking = new Map(joinSegments([], wanted).map((segment) => [segment.place.id, segment]));
  const [first] = lacking.values();
  const last = [...lacking.values()].at(-1);
  if (first === undefined || last === undefined) return [];
  for await (const { place } of segmentsFrom(set, first.place, store)) {
    if (compareSortKeys(place, last.place) > 0) break;
    lacking.delete(place.id);
  }
  return [...lacking.values()];
}

async function* segmentsFrom(set: SegmentSet, from: SortKey, store: PageStore): AsyncGenerator<PlacedSegment> {
  if (set.kind === "few") yield* set.segments;
  // Nothing stands between this and the first: a set is read strictly after a place.
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
  throw new PageUnreadableError(`A set of segments begins with byte ${kind}; this version of Outlive reads 0 and 1.`);
}
