/** How long the work of one owner may occupy the event loop before other requests are read. */
const SLICE_MILLIS = 8;

/** Waits until the owner may continue; `undefined` while its current slice lasts. */
export type Turn = () => Promise<void> | undefined;

interface Waiting {
  /** How many slices this piece of work has had. */
  readonly slices: number;
  readonly resume: () => void;
}

class Owner {
  sliceStartedAt: number | undefined;
  readonly waiting: Waiting[] = [];
}

/**
 * Divides the event loop fairly between owners. SQLite answers synchronously, so long work would otherwise delay
 * every other request until its end. Owners take turns; among the work of one owner, the newest has priority.
 */
export class FairTurns {
  readonly #owners = new Map<string, Owner>();
  readonly #clock: () => number;
  #isScheduled = false;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** The turns of one piece of work, such as a request. */
  of(ownerName: string): Turn {
    let slices = 0;
    return () => {
      const owner = this.#owners.get(ownerName) ?? new Owner();
      this.#owners.set(ownerName, owner);
      this.#schedule();
      if (owner.waiting.length === 0 && this.#hasTime(owner)) return undefined;
      return new Promise((resume) => {
        owner.waiting.push({ slices, resume });
        slices += 1;
      });
    };
  }

  #hasTime(owner: Owner): boolean {
    const now = this.#clock();
    owner.sliceStartedAt ??= now;
    return now - owner.sliceStartedAt < SLICE_MILLIS;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  /** Starts the next slice. Requests that arrived in the meantime are read between two calls. */
  #next(): void {
    this.#isScheduled = false;
    for (const owner of this.#owners.values()) owner.sliceStartedAt = undefined;
    const [next] = [...this.#owners].filter(([, { waiting }]) => waiting.length > 0);
    for (const [name, { waiting }] of this.#owners) if (waiting.length === 0) this.#owners.delete(name);
    if (next === undefined) return;
    const [name, owner] = next;
    // Behind the others for the next turn.
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    this.#schedule();
    owner.sliceStartedAt = this.#clock();
    takeNewest(owner.waiting)?.resume();
  }
}

/** The work with the fewest slices so far, so that a short question does not wait for all long ones. */
function takeNewest(waiting: Waiting[]): Waiting | undefined {
  const fewest = waiting.reduce((least, { slices }) => Math.min(least, slices), Number.POSITIVE_INFINITY);
  const [next] = waiting.splice(
    waiting.findIndex(({ slices }) => slices === fewest),
    1,
  );
  return next;
}
