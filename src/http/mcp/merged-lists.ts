import type { Instant } from "../../job/model/instant.ts";
import type { Place } from "../../query/list/page.ts";
import type { Page } from "./ask.ts";

/** A list of the API, newest first, that is filtered again here. */
export interface Source<Item> {
  readonly pageAfter: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly matches: (item: Item) => boolean;
  readonly createdAt: (item: Item) => Instant;
}

/** One item, and where each list goes on after it. */
export interface Merged<Item> {
  readonly item: Item;
  /** For each list: the cursor of its page, or an empty text, and how many items of that page come before. */
  readonly after: Place;
}

/** The most items that are merged. */
export const MOST_ITEMS = 60;
/** The most pages of each list that are read for them. */
const MOST_PAGES = 5;

/** Stands for the cursor of a list that has no further items. */
const OVER = "-";

/** Items of several lists, newest first, from a position on. */
export async function mergeLists<Item>(
  sources: readonly Source<Item>[],
  { from, most = MOST_ITEMS }: { readonly from: Place; readonly most?: number | undefined },
): Promise<{ readonly merged: readonly Merged<Item>[]; readonly next?: Place }> {
  const readers = sources.map((source, index) => new ListReader(source, from, index));
  await Promise.all(readers.map((reader) => reader.fill()));
  const merged: Merged<Item>[] = [];
  while (merged.length < most && readers.every((reader) => reader.isKnown)) {
    const newest = newestOf(readers);
    if (newest === undefined) return { merged };
    const item = newest.take();
    merged.push({ item, after: readers.flatMap((reader) => reader.place) });
    await newest.fill();
  }
  return { merged, next: readers.flatMap((reader) => reader.place) };
}

function newestOf<Item>(readers: readonly ListReader<Item>[]): ListReader<Item> | undefined {
  return readers
    .filter((reader) => reader.nextAt !== undefined)
    .toSorted((a, b) => (b.nextAt ?? 0) - (a.nextAt ?? 0))[0];
}

/** Reads one list page by page. */
class ListReader<Item> {
  readonly #source: Source<Item>;
  #cursor: string | undefined;
  #skipped: number;
  #page: Page<Item> | undefined;
  #pagesLeft = MOST_PAGES;
  #isOver: boolean;

  constructor(source: Source<Item>, from: Place, index: number) {
    const [cursor, skipped] = [from[2 * index], from[2 * index + 1]];
    this.#source = source;
    this.#isOver = cursor === OVER;
    this.#cursor = typeof cursor === "string" && cursor !== "" && cursor !== OVER ? cursor : undefined;
    this.#skipped = typeof skipped === "number" ? skipped : 0;
  }

  /** Whether it is known which item is next, or that none is. */
  get isKnown(): boolean {
    return this.#isOver || this.nextAt !== undefined;
  }

  /** The creation of the next item. */
  get nextAt(): Instant | undefined {
    const item = this.#page?.items[this.#skipped];
    return item === undefined || this.#isOver ? undefined : this.#source.createdAt(item);
  }

  get place(): Place {
    return this.#isOver ? [OVER, 0] : [this.#cursor ?? "", this.#skipped];
  }

  /** Moves to the next item that matches. Stops when the budget of pages is used up. */
  async fill(): Promise<void> {
    while (!this.#isOver) {
      if (this.#page === undefined) {
        if (this.#pagesLeft === 0) return;
        this.#pagesLeft -= 1;
        this.#page = await this.#source.pageAfter(this.#cursor);
      }
      const { items, nextCursor } = this.#page;
      while (this.#skipped < items.length && !this.#source.matches(items[this.#skipped] as Item)) this.#skipped += 1;
      if (this.#skipped < items.length) return;
      if (nextCursor === undefined) this.#isOver = true;
      else [this.#cursor, this.#skipped, this.#page] = [nextCursor, 0, undefined];
    }
  }

  take(): Item {
    const item = this.#page?.items[this.#skipped];
    if (item === undefined) throw new Error("The list has no next item.");
    this.#skipped += 1;
    return item;
  }
}
