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
   * The share of the process's time that the answers of one reader may take, from 0 to 1. For processes that handle one
   * request at a time, such as a Lambda function, where a limit of concurrent requests has no effect: a share of the
   * time of each process is the same share of all of them, however many there are. @default no limit
   */
  readonly timeShare?: number;
  /** Milliseconds, of any origin. @default performance.now */
  readonly now?: () => number;
}

/** A reader that was idle may use this much time at once. */
const BURST_MILLIS = 5_000;
/**
 * A reader without its share should not return before it may send several requests: a refused request also counts for
 * the throttle of all readers.
 */
const LEAST_RETRY_SECONDS = 5;
/** What each request takes beside the time in which its answer is built. */
const REQUEST_MILLIS = 25;

/** For a process that answers only itself. */
export const UNLIMITED: ReaderLimitOptions = {
  most: Number.POSITIVE_INFINITY,
  unreadBytes: Number.POSITIVE_INFINITY,
};

export type Entrance =
  | { readonly outcome: "admitted"; readonly place: AnswerPlace }
  /** `detail` is for the reader. */
  | { readonly outcome: "refused"; readonly detail: string; readonly retryAfterSeconds: number };

const TOO_MANY_REQUESTS = "Too many of your requests are in progress. Wait until some have ended, then retry.";
const TOO_MUCH_TIME =
  "Your requests have used your share of the server. Retry after the seconds of the header Retry-After; send fewer " +
  "requests, or ask for less: GET /v1/changes has what changed since the last answer.";
const TOO_MUCH_UNREAD =
  "Your clients leave too many bytes of their answers unread. Read these answers, or close their connections, then " +
  "retry.";

/** Counts for each reader: answers in progress, their time, and unread bytes. */
export class ReaderLimits {
  readonly #most: number;
  readonly #limits: PlaceLimits;
  readonly #now: () => number;
  readonly #times: TokenBuckets | undefined;
  readonly #readers = new Map<string, ReaderPlaces>();

  constructor(options: ReaderLimitOptions = {}) {
    const { most = MAX_REQUESTS_PER_READER, unreadBytes = MAX_UNREAD_BYTES, timeShare } = options;
    const { now = () => performance.now() } = options;
    this.#most = most;
    this.#limits = { unreadBytes, builtAtOnce: most === Number.POSITIVE_INFINITY ? most : BUILT_AT_ONCE };
    this.#now = now;
    this.#times =
      timeShare === undefined ? undefined : new TokenBuckets({ perSecond: 1_000 * timeShare, most: BURST_MILLIS, now });
  }

  /** Reserves one more answer for a reader. The caller must end it, so that the reader gets another one. */
  enter(name: string): Entrance {
    const reader = this.#readers.get(name) ?? this.#placesOf(name);
    if (!reader.hasRoom) return refused(TOO_MUCH_UNREAD);
    if (reader.size >= this.#most) return refused(TOO_MANY_REQUESTS);
    const wait = this.#times?.waitMillis(name) ?? 0;
    if (wait > 0) return refused(TOO_MUCH_TIME, Math.max(LEAST_RETRY_SECONDS, Math.ceil(wait / 1_000)));
    this.#times?.take(name, REQUEST_MILLIS);
    this.#readers.set(name, reader);
    return { outcome: "admitted", place: reader.take() };
  }

  #placesOf(name: string): ReaderPlaces {
    return new ReaderPlaces(this.#limits, {
      now: this.#now,
      onBuilt: (millis) => this.#times?.take(name, millis),
      onEmpty: () => this.#readers.delete(name),
    });
  }
}

function refused(detail: string, retryAfterSeconds = 1): Entrance {
  return { outcome: "refused", detail, retryAfterSeconds };
}
