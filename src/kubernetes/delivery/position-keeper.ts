import type { PositionStore } from "../../ports/position-store.ts";
import type { Clock } from "../../ports/runtime/clock.ts";

/** The interval of writes. After a crash, the facts of this interval are sent again. */
const KEEP_EVERY_MILLIS = 2000;

/** Stores the accepted position in setups without a lease, which would otherwise store it. */
export class PositionKeeper {
  readonly #store: PositionStore;
  readonly #clock: Clock;
  readonly #position: () => string | undefined;
  readonly #onFailed: (cause: unknown) => void;
  #written: string | undefined;
  #cancel: (() => void) | undefined;
  #isStopped = false;
  /** The current write: concurrent writes would conflict. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly store: PositionStore;
    readonly clock: Clock;
    readonly position: () => string | undefined;
    /** The next interval tries again. */
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

  /** Writes the last position. */
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
