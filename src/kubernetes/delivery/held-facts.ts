import { type Fact, isJobFact, isRunFact } from "../../job/model/fact.ts";

interface Held<Position> {
  facts: readonly Fact[];
  dueAt: number;
  /** The position before the first of these facts. */
  readonly before: Position | undefined;
}

export interface HoldOptions<Position> {
  readonly dueAt: number;
  /** The position before these facts. */
  readonly before: Position | undefined;
}

/**
 * Facts that wait for others of the same object. While they wait, no position after them may be reached: a process that
 * resumes from there would miss them.
 */
export class HeldFacts<Position> {
  /** In order of the first fact of each object. */
  readonly #held = new Map<string, Held<Position>>();
  /** `undefined` if it has to be computed again. */
  #nextDueAt: number | undefined = Infinity;

  /** The number of objects. */
  get size(): number {
    return this.#held.size;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** The position before the oldest fact. */
  get before(): Position | undefined {
    for (const { before } of this.#held.values()) return before;
    return undefined;
  }

  /** When the next facts are due, on the caller's clock; Infinity without any. */
  get nextDueAt(): number {
    if (this.#nextDueAt !== undefined) return this.#nextDueAt;
    let next = Infinity;
    for (const { dueAt } of this.#held.values()) next = Math.min(next, dueAt);
    this.#nextDueAt = next;
    return next;
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  hold(key: string, facts: readonly Fact[], { dueAt, before }: HoldOptions<Position>): void {
    const known = this.#held.get(key);
    if (this.#nextDueAt !== undefined) this.#nextDueAt = Math.min(this.#nextDueAt, dueAt);
    if (known === undefined) {
      this.#held.set(key, { facts, dueAt, before });
      return;
    }
    known.facts = [...known.facts, ...facts].filter(isNotReplaced);
    known.dueAt = Math.min(known.dueAt, dueAt);
  }

  /** Removes and returns the facts of an object. */
  release(key: string): readonly Fact[] {
    const held = this.#held.get(key);
    if (held === undefined) return [];
    this.#held.delete(key);
    if (held.dueAt === this.#nextDueAt) this.#nextDueAt = undefined;
    return held.facts;
  }

  /** Removes and returns the facts that are due by `time`. */
  releaseDue(time: number): readonly Fact[] {
    const due = [...this.#held].filter(([, { dueAt }]) => dueAt <= time);
    return due.flatMap(([key]) => this.release(key));
  }

  /** Removes and returns the facts of all Jobs and runs: everything but the times of CronJobs. */
  releaseJobs(): readonly Fact[] {
    const jobs = [...this.#held].filter(([, { facts }]) => facts.some((fact) => isJobFact(fact) || isRunFact(fact)));
    return jobs.flatMap(([key]) => this.release(key));
  }
}

/** The latest observation of a CronJob replaces earlier ones, because it contains the times of all runs so far. */
function isNotReplaced(fact: Fact, index: number, facts: readonly Fact[]): boolean {
  return fact.kind !== "CronJobObserved" || facts.findLastIndex(({ kind }) => kind === "CronJobObserved") === index;
}
