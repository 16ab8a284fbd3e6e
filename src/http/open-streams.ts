import { EventStream } from "./event-stream.ts";

/** How many clients may listen at once: each holds a connection, and up to 256 KiB that it has not read. */
const MAX_STREAMS = 2_000;

/** The streams a server has open, so that it can end them when it stops. A server without them (a Lambda answers at once or not at all) is polled. */
export class OpenStreams {
  readonly #open = new Set<EventStream>();

  get size(): number {
    return this.#open.size;
  }

  /** A new stream; `undefined` where there are too many. */
  open(): EventStream | undefined {
    if (this.#open.size >= MAX_STREAMS) return undefined;
    const stream = new EventStream();
    this.#open.add(stream);
    stream.ended.addEventListener("abort", () => this.#open.delete(stream));
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }
}
