import type { PositionStore } from "../ports/position-store.ts";
import type { Clock } from "../runtime/clock.ts";

/** What is not yet written down when the process dies is sent again: so many milliseconds of repeats. */
const KEEP_EVERY_MILLIS = 2000;

/** Writes down how far segments were accepted, where there is no lease to write it to. */
export class PositionKeeper {
  readonly #store: PositionStore;
  readonly #clock: Clock;
  readonly #position: () => string | undefined;
  readonly #onFailed: (cause: unknown) => void;
  #written: string | undefined;
  #cancel: (() => void) | undefined;
  #isStopped = false;
  /** One write after the other: two at once would be in each other's way. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly store: PositionStore;
    readonly clock: Clock;
    readonly position: () => string | undefined;
    /** It is tried again. */
    readonly onFailed: (cause: unknown) => void;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#position = options.position;
    this.#onFailed = options.onFailed;
  }

  start(): void {
    this.#cancel = this.#clock.after(KEEP_EVERY_MILLIS, () => void this.#keepAndGoOn());
  }

  /** Writes the last one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#keeping;
    await this.#keep();
  }

  async #keepAndGoOn(): Promise<void> {
    this.#keeping = this.#keep();
    await this.#keeping;
    if (!this.#isStopped) this.start();
  }

  async #keep(): Promise<void> {
    const position = this.#position();
    if (position === undefined || position === this.#written) return;
    try {
      await this.#store.write(position);
      this.#written = position;
    } catch (cause) {
      this.#onFailed(cause);
    }
  }
}
