/** Requests of one reader that may be in progress at the same time, those that wait for a change included. */
const MAX_REQUESTS_PER_READER = 500;

/** Counts the requests in progress of each reader. */
export class ReaderLimits {
  readonly #most: number;
  readonly #inProgress = new Map<string, number>();

  constructor(most: number = MAX_REQUESTS_PER_READER) {
    this.#most = most;
  }

  /** Runs `work`, or returns `undefined` at once where the reader has too many requests in progress. */
  async run<Result>(reader: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.#inProgress.get(reader) ?? 0;
    if (before >= this.#most) return undefined;
    this.#inProgress.set(reader, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inProgress.get(reader) ?? 1) - 1;
      if (left === 0) this.#inProgress.delete(reader);
      else this.#inProgress.set(reader, left);
    }
  }
}
