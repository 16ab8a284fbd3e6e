/** How long the work of one owner may occupy the event loop before other requests are read. */
const SLICE_MILLIS = 8;

/** Waits until the owner may continue; `undefined` while its current slice lasts. */
export type Turn = () => Promise<void> | undefined;

/** Waits for the turn of the caller, if its slice has ended. Work that is not interrupted has no turn. */
export async function nextTurn({ turn }: { readonly turn?: Turn }): Promise<void> {
  const wait = turn?.();
  if (wait !== undefined) await wait;
}

/** One piece of work, such as a request. */
interface Work {
  slices: number;
}

interface Waiting {
  readonly work: Work;
  readonly resume: () => void;
}

class Owner {
  sliceStartedAt: number | undefined;
  /** The work that has the current slice. */
  running: Work | undefined;
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
    const work: Work = { slices: 0 };
    return () => {
      const owner = this.#owners.get(ownerName) ?? new Owner();
      this.#owners.set(ownerName, owner);
      this.#schedule();
      const isNext = owner.running === work || owner.waiting.length === 0;
      if (isNext && this.#hasTime(owner)) return undefined;
      return new Promise((resume) => owner.waiting.push({ work, resume }));
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
    for (const [name, owner] of this.#owners) {
      owner.sliceStartedAt = undefined;
      owner.running = undefined;
      if (owner.waiting.length === 0) this.#owners.delete(name);
    }
    const [next] = this.#owners;
    if (next === undefined) return;
    const [name, owner] = next;
    // Moves the owner behind the others.
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    this.#schedule();
    owner.sliceStartedAt = this.#clock();
    owner.running = startNewest(owner.waiting);
  }
}

/** Resumes the work with the fewest slices so far, so that a short request does not wait for long ones. */
function startNewest(waiting: Waiting[]): Work | undefined {
  const fewest = waiting.reduce((least, { work }) => Math.min(least, work.slices), Number.POSITIVE_INFINITY);
  const index = waiting.findIndex(({ work }) => work.slices === fewest);
  const [next] = waiting.splice(index, 1);
  if (next === undefined) return undefined;
  next.work.slices += 1;
  next.resume();
  return next.work;
}
