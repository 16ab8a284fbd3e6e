import type { ByteRange, ObjectEntry, ObjectStore } from "../../ports/object-store.ts";
import { wrappedObjects } from "../../ports/objects/wrapped-objects.ts";

/** What one request may read of an archive. */
export interface ReadBudget {
  /** Requests to the store: parts of objects, and objects. Pages of lists count as one for each 1,000 keys. */
  readonly requests: number;
  readonly bytes: number;
  readonly millis: number;
}

/**
 * The same objects, with a limit on reading. Reads beyond the budget or its time throw ArchiveBudgetError. The time
 * begins with the first read.
 */
export function boundedObjects(store: ObjectStore, budget: ReadBudget, now: () => number = Date.now): ObjectStore {
  const reader = new BoundedReader(store, budget, now);
  return wrappedObjects(store, {
    read: (key, range) => reader.read(key, range),
    list: (prefix) => reader.list(prefix),
    putIfAbsent: refuseWrite,
    remove: refuseWrite,
  });
}

function refuseWrite(key: string): Promise<never> {
  return Promise.reject(new TypeError(`${key} cannot be changed: the archive is open for reading.`));
}

/** Keys in a page of ListObjectsV2. */
const PAGE = 1_000;

class BoundedReader {
  readonly #store: ObjectStore;
  readonly #budget: ReadBudget;
  readonly #now: () => number;
  #requests = 0;
  #bytes = 0;
  #begin: number | undefined;

  constructor(store: ObjectStore, budget: ReadBudget, now: () => number) {
    this.#store = store;
    this.#budget = budget;
    this.#now = now;
  }

  async read(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const left = this.#take();
    const bytes = await this.#inTime(this.#store.read(key, range), left);
    this.#bytes += bytes?.length ?? 0;
    if (this.#bytes > this.#budget.bytes) throw this.#exceeded(`${this.#budget.bytes} bytes`);
    return bytes;
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry> {
    const entries = this.#store.list(prefix)[Symbol.asyncIterator]();
    for (let listed = 0; ; listed += 1) {
      const left = listed % PAGE === 0 ? this.#take() : this.#left();
      const next = await this.#inTime(entries.next(), left);
      if (next.done === true) return;
      yield next.value;
    }
  }

  #take(): number {
    this.#requests += 1;
    if (this.#requests > this.#budget.requests) throw this.#exceeded(`${this.#budget.requests} requests`);
    return this.#left();
  }

  /** The milliseconds that are left. */
  #left(): number {
    this.#begin ??= this.#now();
    const left = this.#begin + this.#budget.millis - this.#now();
    if (left <= 0) throw this.#late();
    return left;
  }

  async #inTime<Read>(read: Promise<Read>, left: number): Promise<Read> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(this.#late()), left);
    try {
      return await Promise.race([read, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #late(): ArchiveBudgetError {
    return this.#exceeded(`${this.#budget.millis / 1_000} seconds`);
  }

  #exceeded(limit: string): ArchiveBudgetError {
    return new ArchiveBudgetError(this.#store.name, limit);
  }
}

/** A request would read more of the archive than one request may. */
export class ArchiveBudgetError extends Error {
  override readonly name = "ArchiveBudgetError";

  constructor(archive: string, limit: string) {
    super(`The answer needs more of archive ${archive} than one request may read: ${limit}.`);
  }
}
