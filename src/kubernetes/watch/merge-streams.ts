/**
 * Merges streams: items come as they arrive, in order within each stream. Fetches one item ahead per stream,
 * so that a reader that stops also stops the streams. An error of one stream ends all.
 * `stop` is always called at the end, and must end streams that are waiting.
 */
export async function* mergeStreams<Item>(
  streams: readonly AsyncGenerator<Item>[],
  stop: () => void,
): AsyncGenerator<Item> {
  const merge = new Merge(streams);
  try {
    for (let taken = await merge.take(); taken !== undefined; taken = await merge.take()) {
      yield taken.item;
      void merge.fetch(taken.stream);
    }
  } finally {
    stop();
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)));
  }
}

interface Fetched<Item> {
  readonly stream: AsyncGenerator<Item>;
  readonly item: Item;
}

/** Items that were fetched and not yet taken. */
class Merge<Item> {
  readonly #ready: Fetched<Item>[] = [];
  readonly #errors: unknown[] = [];
  #open: number;
  #wake: (() => void) | undefined;

  constructor(streams: readonly AsyncGenerator<Item>[]) {
    this.#open = streams.length;
    for (const stream of streams) void this.fetch(stream);
  }

  async fetch(stream: AsyncGenerator<Item>): Promise<void> {
    try {
      const next = await stream.next();
      if (next.done === true) this.#open -= 1;
      else this.#ready.push({ stream, item: next.value });
    } catch (error) {
      this.#errors.push(error);
    }
    this.#wake?.();
  }

  /** The next item of any stream; `undefined` when all streams have ended. */
  async take(): Promise<Fetched<Item> | undefined> {
    while (this.#ready.length === 0 && this.#errors.length === 0 && this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#errors.length > 0) throw this.#errors[0];
    return this.#ready.shift();
  }
}
