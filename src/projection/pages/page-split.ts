import type { SortKey } from "./sort-key.ts";

/**
 * Splits items into pages whose ends follow from the items themselves (a prolly tree). An item whose id hashes below a
 * threshold ends its page. A longer run without such an item is cut after its smallest hash. So pages do not depend on
 * the order of arrival, and a new item changes only the pages around it.
 */
export function splitPages<Item extends { readonly sortKey: SortKey }>(
  items: readonly Item[],
  { threshold, maxItems }: { readonly threshold: number; readonly maxItems: number },
): readonly (readonly Item[])[] {
  const pages: (readonly Item[])[] = [];
  let begin = 0;
  for (const [index, { sortKey }] of items.entries()) {
    if (idHash(sortKey.id) >= threshold && index < items.length - 1) continue;
    pages.push(...cutToSize(items.slice(begin, index + 1), maxItems));
    begin = index + 1;
  }
  return pages;
}

/** Cuts a page that is too large after its smallest hash. `items` has at least two elements. */
export function halve<Item extends { readonly sortKey: SortKey }>(
  items: readonly Item[],
): readonly [readonly Item[], readonly Item[]] {
  const hashes = items.slice(0, -1).map(({ sortKey }) => idHash(sortKey.id));
  const cut = hashes.reduce((best, hash, index) => (hash < (hashes[best] ?? hash) ? index : best), 0) + 1;
  return [items.slice(0, cut), items.slice(cut)];
}

function cutToSize<Item extends { readonly sortKey: SortKey }>(
  items: readonly Item[],
  maxItems: number,
): readonly (readonly Item[])[] {
  if (items.length <= maxItems) return [items];
  return halve(items).flatMap((part) => cutToSize(part, maxItems));
}

/** A 32-bit hash: FNV-1a with the finalizer of murmur3. Stored pages depend on it, so it never changes. */
export function idHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A second hash, independent of {@link idHash}. */
export function idMark(id: string): number {
  let mark = 0x9747b28c;
  for (let index = 0; index < id.length; index += 1) {
    mark = Math.imul(mark ^ id.charCodeAt(index), 0xcc9e2d51);
    mark = (mark << 15) | (mark >>> 17);
  }
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b);
  return (mark ^ (mark >>> 13)) >>> 0;
}
