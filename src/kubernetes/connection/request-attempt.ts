import type { Clock } from "../../runtime/clock.ts";

/** Why a request was given up from this side: nobody wants it any more, no head came in time, nothing came for a while, or it is to be made otherwise. */
export type GivenUp = "stopped" | "unanswered" | "silent" | "superseded";

/** A request was given up from this side. */
export class GivenUpError extends Error {
  override readonly name = "GivenUpError";
  readonly reason: GivenUp;

  constructor(reason: GivenUp, cause: unknown) {
    super(`The request was given up: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** The API server gives up on a list by itself after 60 s (`--request-timeout`): what has no head by then gets none. */
const HEAD_MILLIS = 65_000;

/** One request that can be given up for several reasons, of which the first is remembered. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #stop: AbortSignal;
  readonly #onStop = (): void => this.giveUp("stopped");
  #cancelDeadline: (() => void) | undefined;
  #givenUp: GivenUp | undefined;

  constructor(clock: Clock, stop: AbortSignal) {
    this.#stop = stop;
    stop.addEventListener("abort", this.#onStop);
    if (stop.aborted) this.giveUp("stopped");
    else this.#cancelDeadline = clock.after(HEAD_MILLIS, () => this.giveUp("unanswered"));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The head of the response has come. */
  answered(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
  }

  giveUp(reason: GivenUp): void {
    this.#givenUp ??= reason;
    this.#controller.abort();
  }

  /** `error`, or that this side gave up where that is what it comes from. */
  errorOf(error: unknown): unknown {
    return this.#givenUp === undefined ? error : new GivenUpError(this.#givenUp, error);
  }

  /** Lets go of the clock and the signal. */
  end(): void {
    this.answered();
    this.#stop.removeEventListener("abort", this.#onStop);
  }
}
