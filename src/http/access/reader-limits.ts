import { TokenBuckets } from "../../ports/concurrency/token-buckets.ts";
import { type AnswerPlace, type PlaceLimits, ReaderPlaces } from "./reader-places.ts";

/** How many answers of one reader may be in progress at once, including those that wait for a change. */
const MAX_REQUESTS_PER_READER = 500;
/** Bytes of one reader's answers that its clients may leave unread: 64 KiB for each answer in progress. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** Answers of one reader that are built at the same time. Each of them has up to one page in memory. */
const BUILT_AT_ONCE = 8;

export interface ReaderLimitOptions {
  /** Answers in progress: from the request until the client has taken the whole answer, or has left. @default 500 */
  readonly most?: number;
  /** Bytes of answers that were built and that no client has taken yet. @default 32 MiB */
  readonly unreadBytes?: number;
  /**
   * Requests per second, with bursts of twice as many. For processes that handle one request at a time, such as a
   * Lambda function, where a limit of concurrent requests has no effect. @default no limit
   */
  readonly perSecond?: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/** For a process that answers only itself. */
export const UNLIMITED: ReaderLimitOptions = {
  most: Number.POSITIVE_INFINITY,
  unreadBytes: Number.POSITIVE_INFINITY,
};

export type Entrance =
  | { readonly outcome: "admitted"; readonly place: AnswerPlace }
  /** `detail` is for the reader. */
  | { readonly outcome: "refused"; readonly detail: string };

const TOO_MANY_REQUESTS =
  "You send too many requests, or too many are in progress. Wait until some have ended, then retry.";
const TOO_MUCH_UNREAD =
  "Your clients leave too many bytes of their answers unread. Read these answers, or close their connections, then " +
  "retry.";

/** Counts for each reader: answers in progress, requests per second, and unread bytes. */
export class ReaderLimits {
  readonly #most: number;
  readonly #limits: PlaceLimits;
  readonly #rates: TokenBuckets | undefined;
  readonly #readers = new Map<string, ReaderPlaces>();

  constructor(options: ReaderLimitOptions = {}) {
    const { most = MAX_REQUESTS_PER_READER, unreadBytes = MAX_UNREAD_BYTES, perSecond, now = Date.now } = options;
    this.#most = most;
    this.#limits = { unreadBytes, builtAtOnce: most === Number.POSITIVE_INFINITY ? most : BUILT_AT_ONCE };
    this.#rates = perSecond === undefined ? undefined : new TokenBuckets({ perSecond, now });
  }

  /** Reserves one more answer for a reader. The caller must end it, so that the reader gets another one. */
  enter(name: string): Entrance {
    const reader = this.#readers.get(name) ?? new ReaderPlaces(this.#limits, () => this.#readers.delete(name));
    if (!reader.hasRoom) return { outcome: "refused", detail: TOO_MUCH_UNREAD };
    if (reader.size >= this.#most || this.#rates?.take(name) === false) {
      return { outcome: "refused", detail: TOO_MANY_REQUESTS };
    }
    this.#readers.set(name, reader);
    return { outcome: "admitted", place: reader.take() };
  }
}
