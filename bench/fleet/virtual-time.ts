import type { Clock } from "../../src/ports/runtime/clock.ts";

/** When the clock of a replay begins. */
export const BEGINS_AT = Date.UTC(2026, 10, 21, 9);
/** What exists before the first Job is listed first: Nodes and CronJobs. Jobs begin when that is delivered. */
export const LISTED_MS = 5_000;
/** When Jobs begin, by the clock of the replay. */
export const JOBS_BEGIN_AT = BEGINS_AT + LISTED_MS;

interface Planned {
  readonly at: number;
  /** The order of calls at the same time. */
  readonly turn: number;
  readonly call: () => void;
}

/** A clock that jumps from one planned call to the next. */
export class VirtualTime implements Clock {
  readonly #beginsAt: number;
  readonly #cancelled = new Set<Planned>();
  /** A binary heap: the earliest call first. */
  readonly #planned: Planned[] = [];
  #elapsed = 0;
  #turn = 0;

  constructor(beginsAt: number) {
    this.#beginsAt = beginsAt;
  }

  /** In whole milliseconds, as a real clock: a stored state encodes integers only. */
  now(): number {
    return Math.floor(this.#beginsAt + this.#elapsed);
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, call: () => void): () => void {
    const planned = { at: this.#elapsed + milliseconds, turn: (this.#turn += 1), call };
    this.#push(planned);
    return () => this.#cancelled.add(planned);
  }

  /** Plans a call at this time since the beginning. */
  at(milliseconds: number, call: () => void): void {
    this.after(Math.max(0, milliseconds - this.#elapsed), call);
  }

  /** Advances to the next planned call and makes it. Returns false if there is none. */
  step(): boolean {
    const next = this.#pop();
    if (next === undefined) return false;
    if (this.#cancelled.delete(next)) return true;
    this.#elapsed = next.at;
    next.call();
    return true;
  }

  #push(planned: Planned): void {
    const heap = this.#planned;
    let place = heap.push(planned) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isEarlier(planned, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = planned;
  }

  #pop(): Planned | undefined {
    const heap = this.#planned;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const child = earlierChild(heap, place);
      const below = heap[child];
      if (below === undefined || !isEarlier(below, last)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

function isEarlier(a: Planned, b: Planned): boolean {
  return a.at < b.at || (a.at === b.at && a.turn < b.turn);
}

function earlierChild(heap: readonly Planned[], place: number): number {
  const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
  return left !== undefined && right !== undefined && isEarlier(right, left) ? 2 * place + 2 : 2 * place + 1;
}
