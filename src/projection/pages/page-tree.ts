import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { PageCache } from "./page-cache.ts";
import { decodeRefs, encodeRefs, type PageRef, PageUnreadableError } from "./page-ref.ts";
import { halve, idHash, idMark, splitPages } from "./page-split.ts";
import { compareSortKeys, type SortKey } from "./sort-key.ts";

/**
 * A sorted set of items in immutable, content-addressed pages. The same items have the same pages, in whatever order
 * they arrived. The owner of the tree stores only `top`; the other pages are in a page store.
 */
export interface PageTree {
  /** What `top` refers to: 0 for leaves, 1 for pages that list leaves, and so on. */
  readonly level: number;
  readonly top: readonly PageRef[];
}

/** A page is durable when the promise of `write` resolves. */
export interface PageStore {
  read(hash: string): Promise<Uint8Array | undefined>;
  write(hash: string, bytes: Uint8Array): Promise<void>;
}

/** How items are encoded and distributed over pages. */
export interface PageLayout<Item extends Keyed> {
  /** Equal items give equal bytes. */
  encode(items: readonly Item[]): Uint8Array;
  decode(bytes: Uint8Array): readonly Item[];
  /** The average number of items in a leaf. A leaf has at most twice as many. */
  readonly leafItems: number;
  /**
   * Whether items are looked up by id. Then the refs of leaves have marks, and are in an inner page instead of the top.
   */
  readonly marked: boolean;
  /** The item to keep where a known item and an edit have one sort key. @default the edit */
  readonly join?: (known: Item, edit: Item) => Item;
}

export interface Keyed {
  readonly sortKey: SortKey;
}

/** A change of a tree: an item to put at its sort key, or a sort key to remove. */
export type Edit<Item extends Keyed> = Item | { readonly sortKey: SortKey; readonly remove: true };

/** The average number of refs in an inner page, and half the maximum. */
const INNER_REFS = 32;
/** The most refs in the top of a tree. */
const MAX_TOP = 64;
/** The most bytes of a leaf with several items. DynamoDB allows 400 KB per item. */
const MAX_PAGE_BYTES = 300_000;
/** Pages that are read or written at the same time. */
const MAX_CONCURRENT = 16;

/** A lookup by id reads all inner pages of a Job: 250 pages and 5 MB for a million Pods. */
const innerPages = new PageCache<readonly PageRef[]>(1_024);

export function emptyTree(layout: Pick<PageLayout<Keyed>, "marked">): PageTree {
  return { level: layout.marked ? 1 : 0, top: [] };
}

/** The number of items in the tree. */
export function countItems({ top }: PageTree): number {
  return top.reduce((sum, { count }) => sum + count, 0);
}

/** Reads and edits one tree. It caches the leaves that it reads, so create one per update. */
export class PagedSet<Item extends Keyed> {
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
        if (after === undefined || compareSortKeys(item.sortKey, after) > 0) yield item;
      }
      this.#leaves.delete(leaf.hash);
    }
  }

  /** The items with these ids. Reads the inner pages, and the leaves with one of the marks. */
  async find(tree: PageTree, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Item>> {
    const marks = new MarkSet([...ids].map(idMark));
    const found = new Map<string, Item>();
    const holds = (leaf: PageRef) => leaf.marks === undefined || marks.hasAny(leaf.marks);
    const leaves: string[] = [];
    for await (const leaf of this.#leavesUnder(tree.top, tree.level)) if (holds(leaf)) leaves.push(leaf.hash);
    for (const items of await concurrently(leaves, (hash) => this.#readLeaf(hash))) {
      for (const item of items) if (ids.has(item.sortKey.id)) found.set(item.sortKey.id, item);
    }
    return found;
  }

  /** Applies edits, at most one per sort key. The pages of the new tree are durable when the promise resolves. */
  async edit(tree: PageTree, edits: readonly Edit<Item>[]): Promise<PageTree> {
    if (edits.length === 0) return tree;
    const sorted = [...edits].sort((a, b) => compareSortKeys(a.sortKey, b.sortKey));
    const refs = await this.#rewrite(tree.level, tree.top, sorted);
    return this.#settle({ level: tree.level, top: refs });
  }

  /** Chooses the lowest level whose refs fit into the top, so that the height follows from the items alone. */
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
      // One group after the other, because each needs whole pages in memory.
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
        this.#layout.join,
      );
      return this.#writeLeaves(items, leaves);
    }
    const children = await concurrently(refs, ({ hash }) => this.#readInner(hash));
    return this.#writeInner(level, await this.#rewrite(level - 1, children.flat(), edits));
  }

  async #writeLeaves(items: readonly Item[], before: readonly Leaf<Item>[]): Promise<readonly PageRef[]> {
    const pages = splitPages(items, { threshold: this.#threshold(0), maxItems: this.#layout.leafItems * 2 });
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
    const ref = { hash: await this.#write(bytes), sortKey: last.sortKey, count: items.length, width: items.length };
    return [
      this.#layout.marked ? { ...ref, marks: Uint32Array.from(items, ({ sortKey }) => idMark(sortKey.id)) } : ref,
    ];
  }

  async #writeInner(level: number, refs: readonly PageRef[]): Promise<readonly PageRef[]> {
    const pages = splitPages(refs, { threshold: this.#threshold(level), maxItems: INNER_REFS * 2 });
    return concurrently(pages, async (page) => ({
      hash: await this.#write(encodeRefs(page)),
      sortKey: page.at(-1)?.sortKey ?? { at: 0, id: "" },
      count: page.reduce((sum, { count }) => sum + count, 0),
      width: page.length,
    }));
  }

  /** An id whose hash is below this ends a page of the level. Such an id also ends pages of all lower levels. */
  #threshold(level: number): number {
    return 2 ** 32 / (this.#layout.leafItems * INNER_REFS ** level);
  }

  async *#leavesUnder(refs: readonly PageRef[], level: number, after?: SortKey): AsyncGenerator<PageRef> {
    const wanted = after === undefined ? refs : refs.filter(({ sortKey }) => compareSortKeys(sortKey, after) > 0);
    if (level === 0) return yield* wanted;
    for (let begin = 0; begin < wanted.length; begin += MAX_CONCURRENT) {
      const pages = await concurrently(wanted.slice(begin, begin + MAX_CONCURRENT), ({ hash }) =>
        this.#readInner(hash),
      );
      for (const children of pages) yield* this.#leavesUnder(children, level - 1, after);
    }
  }

  async #readLeaf(hash: string): Promise<readonly Item[]> {
    const known = this.#leaves.get(hash);
    if (known !== undefined) return known;
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
    throw new PageUnreadableError(`Page ${hash} of a Job's state is missing from the projection.`);
  }

  async #write(bytes: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (this.#known.has(hash)) return hash;
    await this.#store.write(hash, bytes);
    this.#known.add(hash);
    return hash;
  }
}

/** A set of marks with a fast path: 16 bits exclude most of the other marks. */
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

interface Leaf<Item extends Keyed> {
  readonly ref: PageRef;
  readonly items: readonly Item[];
}

/** Pages that are rewritten together, with their edits. */
interface Group<Item extends Keyed> {
  readonly refs: readonly PageRef[];
  readonly edits: readonly Edit<Item>[];
}

/**
 * A group ends with a page whose last id ends it by its own hash. If that item is removed, the group includes the next
 * page. Edits after the last page belong to the last group.
 */
function groupEdits<Item extends Keyed>(
  refs: readonly PageRef[],
  edits: readonly Edit<Item>[],
  threshold: number,
): readonly Group<Item>[] {
  const groups: Group<Item>[] = [];
  let refsBegin = 0;
  let editsBegin = 0;
  for (const [index, { sortKey }] of refs.entries()) {
    const isLast = index === refs.length - 1;
    let editsEnd = isLast ? edits.length : editsBegin;
    while (isAtOrBefore(edits[editsEnd], sortKey)) editsEnd += 1;
    if (!isLast && (idHash(sortKey.id) >= threshold || isRemoved(edits.slice(editsBegin, editsEnd), sortKey))) continue;
    groups.push({ refs: refs.slice(refsBegin, index + 1), edits: edits.slice(editsBegin, editsEnd) });
    refsBegin = index + 1;
    editsBegin = editsEnd;
  }
  return refs.length === 0 ? [{ refs: [], edits }] : groups;
}

function isAtOrBefore(edit: Keyed | undefined, sortKey: SortKey): boolean {
  return edit !== undefined && compareSortKeys(edit.sortKey, sortKey) <= 0;
}

function isRemoved<Item extends Keyed>(edits: readonly Edit<Item>[], sortKey: SortKey): boolean {
  return edits.some((edit) => "remove" in edit && compareSortKeys(edit.sortKey, sortKey) === 0);
}

/** Merges sorted items with sorted edits. An edit replaces the item with the same sort key, or is joined with it. */
function withEdits<Item extends Keyed>(
  items: readonly Item[],
  edits: readonly Edit<Item>[],
  join: (known: Item, edit: Item) => Item = (_, edit) => edit,
): readonly Item[] {
  const merged: Item[] = [];
  let next = 0;
  for (const edit of edits) {
    let item = items[next];
    while (item !== undefined && compareSortKeys(item.sortKey, edit.sortKey) < 0) {
      merged.push(item);
      next += 1;
      item = items[next];
    }
    const known = item !== undefined && compareSortKeys(item.sortKey, edit.sortKey) === 0 ? item : undefined;
    if (known !== undefined) next += 1;
    if (!("remove" in edit)) merged.push(known === undefined ? edit : join(known, edit));
  }
  return [...merged, ...items.slice(next)];
}

/** Reads or writes a limited number of pages at the same time. The results have the order of the inputs. */
function concurrently<In, Out>(inputs: readonly In[], work: (input: In) => Promise<Out>): Promise<readonly Out[]> {
  return pLimit(MAX_CONCURRENT).map(inputs, work);
}
