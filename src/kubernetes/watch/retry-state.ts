import { type BackOff, exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { ResponseProblem } from "../connection/response-problem.ts";
import type { StreamDoubt } from "./error-recovery.ts";

/**
 * How many watches may fail in a row at one resourceVersion before a new list, and how many streaming lists before
 * paged lists.
 */
const MAX_BROKEN = 3;

/**
 * With jitter, so that streams that failed together, and exporters of many clusters behind one proxy, do not reconnect
 * together.
 */
const BACK_OFF = { firstMillis: 500, maxMillis: 30_000, jitter: "half" } as const;

/** The failures in a row of one stream, and how long to wait after each of them. */
export class RetryState {
  readonly #backOff: BackOff;
  #failures = 0;
  #brokenLists = 0;
  #brokenWatches = 0;
  #expired = 0;

  constructor(random: () => number) {
    this.#backOff = exponentialBackOff(BACK_OFF, random);
  }

  /** Whether to ask for a streaming list. */
  get usesStreamingLists(): boolean {
    return this.#brokenLists < MAX_BROKEN;
  }

  doubtStreamingLists(doubt: StreamDoubt): void {
    if (doubt === "some") this.#brokenLists += 1;
    if (doubt === "certain") this.#brokenLists = MAX_BROKEN;
  }

  /** Counts a broken watch. Returns whether the watch cannot continue from its resourceVersion. */
  countBrokenWatch(): boolean {
    this.#brokenWatches += 1;
    return this.#brokenWatches >= MAX_BROKEN;
  }

  /** The stream restarts from another resourceVersion. */
  resetBrokenWatches(): void {
    this.#brokenWatches = 0;
  }

  /**
   * Counts an expired resourceVersion. Returns whether it is one of several since the stream last moved. A successful
   * list alone is no progress if the watch after it expires again.
   */
  countExpired(): boolean {
    this.#expired += 1;
    return this.#expired > 1;
  }

  /** The stream delivered a change, or was open and idle. */
  move(): void {
    this.#expired = 0;
    this.succeed();
  }

  /** The server answered as expected. */
  succeed(): void {
    this.#brokenWatches = 0;
    this.#failures = 0;
  }

  /** Milliseconds to wait after one more failure: at least as long as the server's Retry-After. */
  waitAfter(error: Error): number {
    this.#failures += 1;
    const failures = Math.max(this.#failures, this.#expired - 1);
    const retryAfter = error instanceof ResponseProblem ? (error.retryAfterMillis ?? 0) : 0;
    return Math.max(retryAfter, this.#backOff(failures));
  }
}
