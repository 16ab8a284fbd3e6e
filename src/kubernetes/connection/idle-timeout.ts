import type { Clock } from "../../ports/runtime/clock.ts";
import { Interruptions } from "./interruptions.ts";

/**
 * Calls back when a wait exceeds a limit. Only waiting time counts: while a reader is busy elsewhere, its silence says
 * nothing about the server. All waits share one timer, because there is a wait for every chunk.
 */
export class IdleTimeout {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #onTimeout: () => void;
  readonly #interruptions: Interruptions;
  #waitingSince: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, milliseconds: number, onTimeout: () => void) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#onTimeout = onTimeout;
    this.#interruptions = new Interruptions(clock);
  }

  beginWait(): void {
    this.#waitingSince = this.#clock.elapsed();
    this.#interruptions.start();
    if (this.#cancel === undefined) this.#arm(this.#milliseconds);
  }

  /** Ends the wait. Returns how long it had lasted since the process was last interrupted, in milliseconds. */
  endWait(): number {
    const since = this.#waitingSince;
    this.#waitingSince = undefined;
    return since === undefined ? 0 : this.#clock.elapsed() - Math.max(since, this.#interruptions.resumedAt);
  }

  stop(): void {
    this.#interruptions.stop();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(milliseconds: number): void {
    this.#cancel = this.#clock.after(milliseconds, () => this.#check());
  }

  #check(): void {
    this.#cancel = undefined;
    if (this.#waitingSince === undefined) return;
    const left = this.#milliseconds - (this.#clock.elapsed() - this.#waitingSince);
    if (left > 0) this.#arm(left);
    else this.#onTimeout();
  }
}
