import { TokenBuckets } from "../../concurrency/token-buckets.ts";

/** Requests of one reader that may be in progress at the same time, those that wait for a change included. */
const MAX_REQUESTS_PER_READER = 500;

export interface ReaderLimitOptions {
  /** Requests in progress. @default 500 */
  readonly most?: number;
  /**
   * Requests per second, with bursts of twice as many. It is for a process with one request at a time, as a Lambda
   * function, where a limit of requests in progress does not help. @default no limit
   */
  readonly perSecond?: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/** Counts the requests of each reader: those in progress, and those per second. */
export class ReaderLimits {
  readonly #most: number;
  readonly #rates: TokenBuckets | undefined;
  readonly #inProgress = new Map<string, number>();

  constructor({ most = MAX_REQUESTS_PER_READER, perSecond, now = Date.now }: ReaderLimitOptions = {}) {
    this.#most = most;
    this.#rates = perSecond === undefined ? undefined : new TokenBuckets({ perSecond, now });
  }

  /** Runs `work`, or returns `undefined` at once where the reader has too many requests in progress, or per second. */
  async run<Result>(reader: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.#inProgress.get(reader) ?? 0;
    if (before >= this.#most || this.#rates?.take(reader) === false) return undefined;
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
