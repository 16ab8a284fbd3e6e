import { compareText } from "../job/model/compare-text.ts";
import type { Cell } from "../ports/records/cell-registry-record.ts";
import { type CellRegistry, isCurrent } from "./cell-registry.ts";
import type { CellPosition } from "./cells-cursor.ts";
import type { CellAnswer } from "./fan-out.ts";

/** A page of a list with `itemCursors`. */
export interface CellPage<Item> {
  readonly items: readonly Item[];
  readonly cursors?: readonly string[];
  readonly nextCursor?: string;
}

/** How the items of a list are ordered, and which are the same. */
export interface MergeOrder<Item> {
  readonly compare: (a: Item, b: Item) => number;
  /** Equal for one object that two cells know, because its cluster moved. */
  readonly identity: (item: Item) => string;
}

export interface ClusterItem {
  readonly cluster: string;
}

export interface MergedPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins in each cell; absent for a cell whose page was not used at all. */
  readonly positions: ReadonlyMap<string, CellPosition>;
}

export interface MergeOptions<Item> extends MergeOrder<Item> {
  readonly registry: CellRegistry;
  readonly limit: number;
}

/**
 * Merges one page of each cell. It ends at `limit`, or where the page of a cell ends that has more: what follows may
 * belong before the items of other cells. An object that two cells know is listed once, as its current cell has it.
 */
export function mergePages<Item extends ClusterItem>(
  pages: readonly CellAnswer<CellPage<Item>>[],
  options: MergeOptions<Item>,
): MergedPage<Item> {
  const heads = pages.map((page) => new CellHead(page, options.registry));
  const items = new Map<string, Item>();
  while (items.size < options.limit && !heads.some((head) => head.isCut())) {
    const first = firstOf(heads, options);
    if (first === undefined) break;
    const item = first.take();
    const known = options.identity(item);
    if (!items.has(known)) items.set(known, item);
  }
  // What is next in another cell may be the object that was taken last.
  for (const head of heads) head.skip((item) => items.has(options.identity(item)));
  const positions = new Map<string, CellPosition>();
  for (const head of heads) {
    const position = head.position();
    if (position !== undefined) positions.set(head.cell.name, position);
  }
  return { items: [...items.values()], positions };
}

function firstOf<Item extends ClusterItem>(
  heads: readonly CellHead<Item>[],
  { compare }: MergeOptions<Item>,
): CellHead<Item> | undefined {
  const open = heads.filter((head) => head.next !== undefined);
  return open.reduce<CellHead<Item> | undefined>((first, head) => {
    if (first?.next === undefined || head.next === undefined) return first ?? head;
    const order = compare(head.next, first.next) || Number(first.isCurrent()) - Number(head.isCurrent());
    return order < 0 || (order === 0 && compareText(head.cell.name, first.cell.name) < 0) ? head : first;
  }, undefined);
}

/** The rest of one cell's page. */
class CellHead<Item extends ClusterItem> {
  readonly cell: Cell;
  readonly #page: CellPage<Item>;
  readonly #registry: CellRegistry;
  #taken = 0;

  constructor({ cell, body }: CellAnswer<CellPage<Item>>, registry: CellRegistry) {
    this.cell = cell;
    this.#page = body;
    this.#registry = registry;
  }

  get next(): Item | undefined {
    return this.#page.items[this.#taken];
  }

  isCurrent(): boolean {
    return this.next !== undefined && isCurrent(this.#registry, this.next.cluster, this.cell);
  }

  /** Whether the page is used up and the cell has more. */
  isCut(): boolean {
    return this.next === undefined && this.#page.nextCursor !== undefined;
  }

  take(): Item {
    const item = this.next;
    if (item === undefined) throw new RangeError("The page has no further item.");
    this.#taken += 1;
    return item;
  }

  skip(isKnown: (item: Item) => boolean): void {
    while (this.next !== undefined && isKnown(this.next)) this.#taken += 1;
  }

  /** `undefined` stands for the position before this page. */
  position(): CellPosition | undefined {
    const { items, cursors, nextCursor } = this.#page;
    if (this.#taken === items.length) return nextCursor === undefined ? END : { at: "cursor", cursor: nextCursor };
    const cursor = cursors?.[this.#taken - 1];
    return cursor === undefined ? undefined : { at: "cursor", cursor };
  }
}

const END: CellPosition = { at: "end" };
