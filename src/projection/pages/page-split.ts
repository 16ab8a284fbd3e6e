import type { SortKey } from "./sort-key.ts";

/**
 * Where pages end is decided by the items themselves (a prolly tree): an item whose id hashes below a threshold ends its page, and a run
 * without such an item that grows too long is cut after its smallest hash. Nothing depends on the order of arrival, and one new
 * item touches the pages around it only.
 */
export function splitPages<Item extends { readonly place: SortKey }>(
  items: readonly Item[],
  { threshold, most }: { readonly threshold: number; readonly most: number },
): readonly (readonly Item[])[] {
  const pages: (readonly Item[])[] = [];
  let begin = 0;
  for (const [index, { place }] of items.entries()) {
    if (idHash(place.id) >= threshold && index < items.length - 1) continue;
    pages.push(...cutToSize(items.slice(begin, index + 1), most));
    begin = index + 1;
  }
  return pages;
}

/** The two parts of a page that is too large: cut after its smallest hash. `items` holds at least two. */
export function halve<Item extends { readonly place: SortKey }>(
  items: readonly Item[],
): readonly [readonly Item[], readonly Item[]] {
  const hashes = items.slice(0, -1).map(({ place }) => idHash(place.id));
  const cut = hashes.reduce((best, hash, index) => (hash < (hashes[best] ?? hash) ? index : best), 0) + 1;
  return [items.slice(0, cut), items.slice(cut)];
}

function cutToSize<Item extends { readonly place: SortKey }>(
  items: readonly Item[],
  most: number,
): readonly (readonly Item[])[] {
  if (items.length <= most) return [items];
  return halve(items).flatMap((part) => cutToSize(part, most));
}

/** 32 bits that look random, of any text, the same everywhere: FNV-1a with murmur3's finish. */
export function idHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A second hash of the same id, independent enough of the first that both together tell ids apart. */
export function idMark(id: string): number {
  let mark = 0x9747b28c;
  for (let index = 0; index < id.length; index += 1) {
    mark = Math.imul(mark ^ id.charCodeAt(index), 0xcc9e2d51);
    mark = (mark << 15) | (mark >>> 17);
  }
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b);
  return (mark ^ (mark >>> 13)) >>> 0;
}
