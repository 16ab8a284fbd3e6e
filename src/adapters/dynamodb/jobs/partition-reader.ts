import { compareText } from "../../../job/model/compare-text.ts";
import type { Item } from "../attribute.ts";
import type { QueryPage } from "../dynamo-table.ts";

/** The position of a Job in a list. */
export interface Entry {
  readonly pk: string;
  readonly created: string;
  /** A record of the wide lists has the Job. @default an index entry */
  readonly isRecorded?: boolean;
}

/** Where the entries of one partition are read from: the pages of a query. */
export interface EntrySource {
  read(startKey: Item | undefined, limit: number): Promise<QueryPage>;
  entriesOf(items: readonly Item[]): readonly Entry[];
  /** Whether no item after `last` has an entry before this one. */
  isSettled(entry: Entry, last: Item | undefined): boolean;
}

export interface PartitionStart {
  readonly backwards: boolean;
  readonly pageSize: number;
  /** Exclusive. */
  readonly start: Entry | undefined;
}

export function isBefore(a: Entry, b: Entry, backwards: boolean): boolean {
  return compareEntries(a, b) * (backwards ? -1 : 1) < 0;
}

/** In the order of the lists. Jobs of different clusters can have the same uid: then the cluster decides. */
export function compareEntries(a: Entry, b: Entry): number {
  return compareText(a.created, b.created) || compareText(a.pk, b.pk);
}

const MAX_GROWTH = 4;

/** Reads the entries of one partition in pages, in the order of its list. */
export class PartitionReader {
  readonly #source: EntrySource;
  readonly #from: PartitionStart;
  /** Sorted entries, ready from `#next` on. Those that an entry of a later page may precede wait in `#open`. */
  #entries: readonly Entry[] = [];
  #open: readonly Entry[] = [];
  #next = 0;
  #last: Item | undefined;
  #startKey: Item | undefined;
  #isMore = true;
  #growth = 1;

  constructor(source: EntrySource, from: PartitionStart) {
    this.#source = source;
    this.#from = from;
  }

  /** The next entry; `undefined` at the end of the partition. */
  get head(): Entry | undefined {
    return this.#entries[this.#next];
  }

  take(): Entry {
    const { head } = this;
    if (head === undefined) {
      throw new RangeError("Cannot take an entry of a list: the partition is at its end. Read `head` first.");
    }
    this.#next += 1;
    return head;
  }

  /** Reads the next page when the current one is used up. */
  async fill(): Promise<void> {
    while (this.head === undefined && this.#isMore) {
      const page = await this.#readPage();
      this.#startKey = page.last;
      this.#isMore = page.isMore;
      this.#last = page.items.at(-1) ?? this.#last;
      this.#next = 0;
      this.#take([...this.#open, ...this.#source.entriesOf(page.items)]);
    }
  }

  #take(entries: readonly Entry[]): void {
    const { start, backwards } = this.#from;
    const isReady = (entry: Entry) => !this.#isMore || this.#source.isSettled(entry, this.#last);
    this.#open = entries.filter((entry) => !isReady(entry));
    this.#entries = entries
      .filter((entry) => isReady(entry) && (start === undefined || isBefore(start, entry, backwards)))
      .toSorted((a, b) => compareEntries(a, b) * (backwards ? -1 : 1));
  }

  /** A partition that is read further has more entries of the list than others, so its pages grow. */
  #readPage(): Promise<QueryPage> {
    const limit = this.#from.pageSize * this.#growth;
    this.#growth = Math.min(2 * this.#growth, MAX_GROWTH);
    return this.#source.read(this.#startKey, limit);
  }
}
