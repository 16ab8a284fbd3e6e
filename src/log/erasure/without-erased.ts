import type { OpenedItem } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { type ErasedSegment, remainsOf } from "../../segment/erase-facts.ts";
import type { Segment } from "../../segment/segment.ts";
import type { ErasureFilter } from "./erasure-filter.ts";
import { erasuresOf, storeLateHash } from "./stored-erasures.ts";

/** A segment, and the hash under which the log has it. */
export interface NamedSegment {
  readonly segment: Segment;
  readonly sha256: string;
}

/**
 * Removes the facts from a segment that were erased before it arrived; `undefined` if it has none. Stores what the
 * erasures learn from it, so that every process knows it.
 */
export async function withoutErased(meta: MetaStore, named: NamedSegment): Promise<ErasedSegment | undefined> {
  const filter = await erasuresOf(meta);
  return filter.concerns(named.segment.cluster) ? remainsFor(meta, filter, named) : undefined;
}

/** Log items without the facts that were erased. Items may have been read before an erasure rewrote them. */
export async function itemsWithoutErased(
  meta: MetaStore,
  items: readonly OpenedItem[],
): Promise<readonly OpenedItem[]> {
  const filter = await erasuresOf(meta);
  if (filter.erasures.length === 0) return items;
  const left: OpenedItem[] = [];
  for (const item of items) left.push(await itemWithoutErased(meta, filter, item));
  return left;
}

async function itemWithoutErased(meta: MetaStore, filter: ErasureFilter, item: OpenedItem): Promise<OpenedItem> {
  const segment = item.segment ?? segmentIn(item);
  if (segment === undefined || !filter.concerns(segment.cluster)) return item;
  const remains = await remainsFor(meta, filter, { segment, sha256: item.sha256 });
  return remains === undefined ? item : { ...item, ...remains.sealed, key: item.key, segment: remains.segment };
}

function segmentIn({ bytes }: OpenedItem): Segment | undefined {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment : undefined;
}

async function remainsFor(
  meta: MetaStore,
  filter: ErasureFilter,
  named: NamedSegment,
): Promise<ErasedSegment | undefined> {
  const { erasureOf, learned } = filter.choose(named.segment);
  for (const { id, hash } of learned) await storeLateHash(meta, id, hash);
  return remainsOf(named, erasureOf);
}
