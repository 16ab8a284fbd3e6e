import type { Clock } from "../../ports/runtime/clock.ts";

/**
 * Why the client aborted a request: it was stopped, no headers arrived in time, no data arrived for a while,
 * or another request replaces it.
 */
export type GivenUp = "stopped" | "unanswered" | "idle" | "superseded";

/** The client aborted the request. */
export class GivenUpError extends Error {
  override readonly name = "GivenUpError";
  readonly reason: GivenUp;

  constructor(reason: GivenUp, cause: unknown) {
    super(`The client aborted its request to the API server: ${ABORTED[reason]}.`, { cause });
    this.reason = reason;
  }
}

const ABORTED = {
  stopped: "it was stopped",
  unanswered: "no headers arrived in time",
  idle: "no data arrived for too long",
  superseded: "another request replaces it",
} as const;

/** The longest wait for headers: the API server itself aborts a list after 60 s (`--request-timeout`). */
const HEADERS_TIMEOUT_MILLIS = 65_000;

/** One request that can be aborted for several reasons, of which the first is kept. */
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
    else this.#cancelDeadline = clock.after(HEADERS_TIMEOUT_MILLIS, () => this.giveUp("unanswered"));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The response's headers have arrived. */
  responded(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
  }

  giveUp(reason: GivenUp): void {
    this.#givenUp ??= reason;
    this.#controller.abort();
  }

  /** Returns a GivenUpError if this client aborted the request, otherwise `error`. */
  errorOf(error: unknown): unknown {
    return this.#givenUp === undefined ? error : new GivenUpError(this.#givenUp, error);
  }

  /** Releases the timer and the signal. */
  end(): void {
    this.responded();
    this.#stop.removeEventListener("abort", this.#onStop);
  }
}
