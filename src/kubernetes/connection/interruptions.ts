import type { Clock } from "../../ports/runtime/clock.ts";

/** How often a timer shows that the process runs. */
const CHECK_MILLIS = 1_000;
/** A timer that is later than this shows that the process did not run: it was stopped, or occupied. */
const LATE_MILLIS = 500;

/**
 * Detects that the process did not run for some time: SIGSTOP, a paused virtual machine, a long computation. Data that
 * arrives when it resumes may have been in a buffer for all of that time.
 */
export class Interruptions {
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #dueAt = Infinity;
  #resumedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Observes from now on, until {@link stop}. */
  start(): void {
    if (this.#cancel === undefined) this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAt = Infinity;
  }

  /** When the process last resumed, on the monotonic clock; -Infinity if it was never interrupted. */
  get resumedAt(): number {
    // Data may be read before overdue timers fire.
    const now = this.#clock.elapsed();
    if (now - this.#dueAt > LATE_MILLIS) this.#resumedAt = now;
    return this.#resumedAt;
  }

  #arm(): void {
    this.#dueAt = this.#clock.elapsed() + CHECK_MILLIS;
    this.#cancel = this.#clock.after(CHECK_MILLIS, () => {
      this.#resumedAt = this.resumedAt;
      this.#arm();
    });
  }
}
