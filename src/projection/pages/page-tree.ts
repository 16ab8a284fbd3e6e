import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { PageCache } from "./page-cache.ts";
import { decodeRefs, encodeRefs, type PageRef, PageUnreadableError } from "./page-ref.ts";
import { halve, idHash, idMark, splitPages } from "./page-split.ts";
import { compareSortKeys, type SortKey } from "./sort-key.ts";

/**
 * A sorted set of items in immutable pages named by their content. The same items have the same pages, whatever the order in which they came.
 * Only `top` is kept by whoever owns the tree; pages under it lie in a page store.
 */
export interface PageTree {
  /** What `top` refers to: 0 leaves, 1 pages that list leaves, and so on. */
  readonly level: number;
  readonly top: readonly PageRef[];
}

/** Durable when the promise of `write` resolves. */
export interface PageStore {
  read(hash: string): Promise<Uint8Array | undefined>;
  write(hash: string, bytes: Uint8Array): Promise<void>;
}

/** What a tree is made of. */
export interface PageLayout<Item extends Placed> {
  /** Deterministic: equal items, equal bytes. */
  encode(items: readonly Item[]): Uint8Array;
  decode(bytes: Uint8Array): readonly Item[];
  /** Items in a leaf on average; twice as many at most. */
  readonly leafItems: number;
  /** Whether items are looked up by id alone. Then marks lie beside the leaves' refs, in a page of their own and not in the top. */
  readonly marked: boolean;
}

export interface Placed {
  readonly place: SortKey;
}

/** What changes in a tree: an item put at its place, or the place emptied. */
export type Edit<Item extends Placed> = Item | { readonly place: SortKey; readonly remove: true };

/** Refs in an inner page on average; twice as many at most. */
const INNER_REFS = 32;
/** The most refs in a top. */
const MAX_TOP = 64;
/** The most bytes in a leaf of more than one item: a DynamoDB item holds 400 KB. */
const MAX_PAGE_BYTES = 300_000;
/** Pages that are read or written at the same time. */
const MAX_CONCURRENT = 16;

/** A lookup by id reads all inner pages of a Job; a Job of a million Pods has 250 of them, 5 MB. */
const innerPages = new PageCache<readonly PageRef[]>(1_024);

export function emptyTree(layout: Pick<PageLayout<Placed>, "marked">): PageTree {
  return { level: layout.marked ? 1 : 0, top: [] };
}

/** Items in the tree. */
export function countItems({ top }: PageTree): number {
  return top.reduce((sum, { count }) => sum + count, 0);
}

/** One tree's pages being read and rewritten. Leaves that were read are held until it is let go, so make one for each update. */
export class PagedSet<Item extends Placed> {
  readonly #layout: PageLayout<Item>;
  readonly #store: PageStore;
  readonly #leaves = new Map<string, readonly Item[]>();
  readonly #known = new Set<string>();

  constructor(layout: PageLayout<Item>, store: PageStore) {
    this.#layout = layout;
    this.#store = store;
  }

  /** The items after `after`, in order, page by page. */
  async *items(tree: PageTree, after?: SortKey): AsyncGenerator<Item> {
    for await (const leaf of this.#leavesUnder(tree.top, tree.level, after)) {
      for (const item of await this.#readLeaf(leaf.hash)) {
        if (after === undefined || compareSortKeys(item.place, after) > 0) yield item;
      }
      this.#leaves.delete(leaf.hash);
    }
  }

  /** The items of these ids, wherever they stand. Reads the inner pages and those leaves that hold one of the marks. */
  async find(tree: PageTree, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Item>> {
    const marks = new MarkSet([...ids].map(idMark));
    const found = new Map<string, Item>();
    const holds = (leaf: PageRef) => leaf.marks === undefined || marks.hasAny(leaf.marks);
    const leaves: string[] = [];
    for await (const leaf of this.#leavesUnder(tree.top, tree.level)) if (holds(leaf)) leaves.push(leaf.hash);
    for (const items of await concurrently(leaves, (hash) => this.#readLeaf(hash))) {
      for (const item of items) if (ids.has(item.place.id)) found.set(item.place.id, item);
    }
    return found;
  }

  /** The tree with the edits made: at most one edit of a place. Every page it refers to is durable when the promise resolves. */
  async edit(tree: PageTree, edits: readonly Edit<Item>[]): Promise<PageTree> {
    if (edits.length === 0) return tree;
    const sorted = [...edits].sort((a, b) => compareSortKeys(a.place, b.place));
    const refs = await this.#rewrite(tree.level, tree.top, sorted);
    return this.#settle({ level: tree.level, top: refs });
  }

  /** The lowest level whose refs are few enough to be the top: so that the height, too, follows from the items alone. */
  async #settle({ level, top }: PageTree): Promise<PageTree> {
    const lowest = this.#layout.marked ? 1 : 0;
    if (top.length > MAX_TOP) {
      return this.#settle({ level: level + 1, top: await this.#writeInner(level + 1, top) });
    }
    const below = top.reduce((sum, { width }) => sum + width, 0);
    if (level === lowest || below > MAX_TOP) return { level, top };
    const children = await concurrently(top, ({ hash }) => this.#readInner(hash));
    return this.#settle({ level: level - 1, top: children.flat() });
  }

  async #rewrite(level: number, refs: readonly PageRef[], edits: readonly Edit<Item>[]): Promise<readonly PageRef[]> {
    const rewritten: PageRef[] = [];
    for (const group of groupEdits(refs, edits, this.#threshold(level))) {
      if (group.edits.length === 0) rewritten.push(...group.refs);
      // One group after the other: each holds whole pages in memory.
      else rewritten.push(...(await this.#rewriteGroup(level, group)));
    }
    return rewritten;
  }

  async #rewriteGroup(level: number, { refs, edits }: Group<Item>): Promise<readonly PageRef[]> {
    for (const { hash } of refs) this.#known.add(hash);
    if (level === 0) {
      const leaves = await concurrently(refs, async (ref) => ({ ref, items: await this.#readLeaf(ref.hash) }));
      const items = withEdits(
        leaves.flatMap((leaf) => leaf.items),
        edits,
      );
      return this.#writeLeaves(items, leaves);
    }
    const children = await concurrently(refs, ({ hash }) => this.#readInner(hash));
    return this.#writeInner(level, await this.#rewrite(level - 1, children.flat(), edits));
  }

  async #writeLeaves(items: readonly Item[], before: readonly Leaf<Item>[]): Promise<readonly PageRef[]> {
    const pages = splitPages(items, { threshold: this.#threshold(0), most: this.#layout.leafItems * 2 });
    return (await concurrently(pages, (page) => this.#writeLeaf(page, before))).flat();
  }

  async #writeLeaf(items: readonly Item[], before: readonly Leaf<Item>[]): Promise<readonly PageRef[]> {
    const same = before.find(
      (leaf) => leaf.items.length === items.length && leaf.items.every((item, index) => item === items[index]),
    );
    if (same !== undefined) return [same.ref];
    const last = items.at(-1);
    if (last === undefined) return [];
    const bytes = this.#layout.encode(items);
    if (bytes.length > MAX_PAGE_BYTES && items.length > 1) {
      return (await concurrently(halve(items), (half) => this.#writeLeaf(half, before))).flat();
    }
    const ref = { hash: await this.#write(bytes), place: last.place, count: items.length, width: items.length };
    return [this.#layout.marked ? { ...ref, marks: Uint32Array.from(items, ({ place }) => idMark(place.id)) } : ref];
  }

  async #writeInner(level: number, refs: readonly PageRef[]): Promise<readonly PageRef[]> {
    const pages = splitPages(refs, { threshold: this.#threshold(level), most: INNER_REFS * 2 });
    return concurrently(pages, async (page) => ({
      hash: await this.#write(encodeRefs(page)),
      place: page.at(-1)?.place ?? { at: 0, id: "" },
      count: page.reduce((sum, { count }) => sum + count, 0),
      width: page.length,
    }));
  }

  /** The hash below which an id ends a page of this level: each level has fewer such ids, and they are among those of the level below. */
  #threshold(level: number): number {
    return 2 ** 32 / (this.#layout.leafItems * INNER_REFS ** level);
  }

  async *#leavesUnder(refs: readonly PageRef[], level: number, after?: SortKey): AsyncGenerator<PageRef> {
    const wanted = after === undefined ? refs : refs.filter(({ place }) => compareSortKeys(place, after) > 0);
    if (level === 0) return yield* wanted;
    for (let begin = 0; begin < wanted.length; begin += MAX_CONCURRENT) {
      const pages = await concurrently(wanted.slice(begin, begin + MAX_CONCURRENT), ({ hash }) =>
        this.#readInner(hash),
      );
      for (const children of pages) yield* this.#leavesUnder(children, level - 1, after);
    }
  }

  async #readLeaf(hash: string): Promise<readonly Item[]> {
    const held = this.#leaves.get(hash);
    if (held !== undefined) return held;
    const items = this.#layout.decode(await this.#read(hash));
    this.#leaves.set(hash, items);
    return items;
  }

  async #readInner(hash: string): Promise<readonly PageRef[]> {
    const cached = innerPages.get(hash);
    if (cached !== undefined) return cached;
    const refs = decodeRefs(await this.#read(hash));
    innerPages.set(hash, refs);
    return refs;
  }

  async #read(hash: string): Promise<Uint8Array> {
    const bytes = await this.#store.read(hash);
    if (bytes !== undefined) return bytes;
    throw new PageUnreadableError(`Page ${hash} is not in the projection.`);
  }

  async #write(bytes: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (this.#known.has(hash)) return hash;
    await this.#store.write(hash, bytes);
    this.#known.add(hash);
    return hash;
  }
}

/** Marks that are looked for among very many: most of those are told apart by 16 of their bits. */
class MarkSet {
  readonly #marks: ReadonlySet<number>;
  readonly #low = new Uint8Array(0x10000);

  constructor(marks: readonly number[]) {
    this.#marks = new Set(marks);
    for (const mark of marks) this.#low[mark & 0xffff] = 1;
  }

  hasAny(others: Uint32Array): boolean {
    return others.some((mark) => this.#low[mark & 0xffff] === 1 && this.#marks.has(mark));
  }
}

interface Leaf<Item extends Placed> {
  readonly ref: PageRef;
  readonly items: readonly Item[];
}

/** Pages that are rewritten together, and the edits that fall among them. */
interface Group<Item extends Placed> {
  readonly refs: readonly PageRef[];
  readonly edits: readonly Edit<Item>[];
}

/**
 * A group ends where its last id ends a page by its own hash, unless that very item goes: then the next page moves up to it.
 * Edits behind the last page belong to the last group.
 */
function groupEdits<Item extends Placed>(
  refs: readonly PageRef[],
  edits: readonly Edit<Item>[],
  threshold: number,
): readonly Group<Item>[] {
  const groups: Group<Item>[] = [];
  let refsBegin = 0;
  let editsBegin = 0;
  for (const [index, { place }] of refs.entries()) {
    const isLast = index === refs.length - 1;
    let editsEnd = isLast ? edits.length : editsBegin;
    while (isAtOrBefore(edits[editsEnd], place)) editsEnd += 1;
    if (!isLast && (idHash(place.id) >= threshold || isRemoved(edits.slice(editsBegin, editsEnd), place))) continue;
    groups.push({ refs: refs.slice(refsBegin, index + 1), edits: edits.slice(editsBegin, editsEnd) });
    refsBegin = index + 1;
    editsBegin = editsEnd;
  }
  return refs.length === 0 ? [{ refs: [], edits }] : groups;
}

function isAtOrBefore(edit: Placed | undefined, place: SortKey): boolean {
  return edit !== undefined && compareSortKeys(edit.place, place) <= 0;
}

function isRemoved<Item extends Placed>(edits: readonly Edit<Item>[], place: SortKey): boolean {
  return edits.some((edit) => "remove" in edit && compareSortKeys(edit.place, place) === 0);
}

/** Both sorted by place; an edit replaces the item at its place. */
function withEdits<Item extends Placed>(items: readonly Item[], edits: readonly Edit<Item>[]): readonly Item[] {
  const merged: Item[] = [];
  let next = 0;
  for (const edit of edits) {
    let item = items[next];
    while (item !== undefined && compareSortKeys(item.place, edit.place) < 0) {
      merged.push(item);
      next += 1;
      item = items[next];
    }
    if (item !== undefined && compareSortKeys(item.place, edit.place) === 0) next += 1;
    if (!("remove" in edit)) merged.push(edit);
  }
  return [...merged, ...items.slice(next)];
}

/** Reads or writes a limited number of pages at the same time. The results have the order of the inputs. */
function concurrently<In, Out>(inputs: readonly In[], work: (input: In) => Promise<Out>): Promise<readonly Out[]> {
  return pLimit(MAX_CONCURRENT).map(inputs, work);
}
