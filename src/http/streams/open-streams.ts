import { EventStream } from "./event-stream.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

/** How many clients may listen at once: each holds a connection, and up to 256 KiB that it has not read. */
const MAX_STREAMS = 2_000;

/** Who may listen is asked when a stream is opened: after an hour it ends, and who comes back with their cursor is asked again. */
const MAX_LIFE_MILLIS = 3_600_000;

/** How many streams read the store at the same time: one processor has no use for more. */
const READING_AT_ONCE = 2;

/** The streams a server has open, so that it can end them when it stops. A server without them (a Lambda answers at once or not at all) is polled. */
export class OpenStreams {
  readonly #open = new Set<EventStream>();
  /** Whoever reads for a stream takes turns with the others. */
  readonly turns = new Semaphore(READING_AT_ONCE);

  get size(): number {
    return this.#open.size;
  }

  /** A new stream; `undefined` where there are too many. */
  open(): EventStream | undefined {
    if (this.#open.size >= MAX_STREAMS) return undefined;
    const stream = new EventStream();
    this.#open.add(stream);
    const life = setTimeout(() => stream.end(), MAX_LIFE_MILLIS);
    life.unref();
    stream.ended.addEventListener("abort", () => {
      clearTimeout(life);
      this.#open.delete(stream);
    });
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}
