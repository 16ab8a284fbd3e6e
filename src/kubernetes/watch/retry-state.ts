import { BackOff } from "./back-off.ts";
import type { StreamDoubt } from "./error-recovery.ts";
import { ResponseProblem } from "../connection/response-problem.ts";

/** So many watches in a row that break at one place: the server will not go on from there. So many broken streaming lists: pages instead. */
const MOST_BROKEN = 3;

/** What went wrong in a row at one stream, and how long to wait after it. */
export class RetryState {
  readonly #backOff: BackOff;
  #brokenLists = 0;
  #brokenWatches = 0;

  constructor(random: () => number) {
    this.#backOff = new BackOff(random);
  }

  /** Whether a streaming list is worth asking for. */
  get streamsLists(): boolean {
    return this.#brokenLists < MOST_BROKEN;
  }

  doubtStreams(doubt: StreamDoubt): void {
    if (doubt === "some") this.#brokenLists += 1;
    if (doubt === "certain") this.#brokenLists = MOST_BROKEN;
  }

  /** Returns whether there is no going on from this place. */
  watchBroke(): boolean {
    this.#brokenWatches += 1;
    return this.#brokenWatches >= MOST_BROKEN;
  }

  /** The stream begins at another place. */
  leavePlace(): void {
    this.#brokenWatches = 0;
  }

  /** The server answers as it should. */
  overcome(): void {
    this.#brokenWatches = 0;
    this.#backOff.reset();
  }

  /** Milliseconds to wait after one more failure: at least as long as the server asks for. */
  waitAfter(error: Error): number {
    const asked = error instanceof ResponseProblem ? (error.retryAfterMillis ?? 0) : 0;
    return Math.max(asked, this.#backOff.next());
  }
}
