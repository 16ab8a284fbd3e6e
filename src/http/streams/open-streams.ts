import { EventStream } from "./event-stream.ts";
import { Semaphore } from "../../ports/concurrency/semaphore.ts";

/** The most open streams of a server. Each needs a connection, and up to 256 KiB for what its client has not read. */
const MAX_STREAMS = 2_000;
/** The most open streams of one reader, so that no reader can occupy all of them. */
const MAX_STREAMS_PER_READER = 200;
/** Access is checked when a stream is opened, so it ends after an hour. The client reconnects with its cursor. */
const MAX_LIFE_MILLIS = 3_600_000;
/** How many streams of one reader may read the store at the same time: each holds a page in memory. */
const READING_AT_ONCE = 2;

export interface StreamLimits {
  /** @default 2,000 */
  readonly total?: number;
  /** @default 200 */
  readonly perReader?: number;
}

/** The streams that a server has open, so that it can end them when it stops. */
export class OpenStreams {
  readonly #total: number;
  readonly #perReader: number;
  readonly #open = new Map<EventStream, string>();
  readonly #turns = new Map<string, Semaphore>();

  constructor({ total = MAX_STREAMS, perReader = MAX_STREAMS_PER_READER }: StreamLimits = {}) {
    this.#total = total;
    this.#perReader = perReader;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Limits how many streams of one reader read the store at the same time. */
  turnsOf(reader: string): Semaphore {
    const turns = this.#turns.get(reader) ?? new Semaphore(READING_AT_ONCE);
    this.#turns.set(reader, turns);
    return turns;
  }

  /** Opens a stream; `undefined` if the server or the reader has too many. */
  open(reader: string): EventStream | undefined {
    if (this.#open.size >= this.#total || this.#countOf(reader) >= this.#perReader) return undefined;
    const stream = new EventStream();
    this.#open.set(stream, reader);
    const life = setTimeout(() => stream.end(), MAX_LIFE_MILLIS);
    life.unref();
    stream.ended.addEventListener("abort", () => {
      clearTimeout(life);
      this.#open.delete(stream);
      if (this.#countOf(reader) === 0) this.#turns.delete(reader);
    });
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
  }

  #countOf(reader: string): number {
    return [...this.#open.values()].filter((owner) => owner === reader).length;
  }
}
