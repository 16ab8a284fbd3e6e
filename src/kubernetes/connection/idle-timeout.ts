import type { Clock } from "../../runtime/clock.ts";

/**
 * Notices that nothing comes though somebody waits for it. Counts waiting only: a reader that is busy elsewhere hears nothing, and that says nothing of the
 * other side. One timer for many waits, since there is one wait for each chunk.
 */
export class IdleTimeout {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #noticed: () => void;
  #waitingSince: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, milliseconds: number, noticed: () => void) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#noticed = noticed;
  }

  beginWait(): void {
    this.#waitingSince = this.#clock.elapsed();
    if (this.#cancel === undefined) this.#arm(this.#milliseconds);
  }

  /** Something came. Returns how long it was waited for, in milliseconds. */
  endWait(): number {
    const since = this.#waitingSince;
    this.#waitingSince = undefined;
    return since === undefined ? 0 : this.#clock.elapsed() - since;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(milliseconds: number): void {
    this.#cancel = this.#clock.after(milliseconds, () => this.#look());
  }

  #look(): void {
    this.#cancel = undefined;
    if (this.#waitingSince === undefined) return;
    const left = this.#milliseconds - (this.#clock.elapsed() - this.#waitingSince);
    if (left > 0) this.#arm(left);
    else this.#noticed();
  }
}
