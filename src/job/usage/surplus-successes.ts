import type { JobSpec } from "../model/job-spec.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { PodReservation } from "./pod-reservation.ts";

/** A Pod that succeeded. */
export interface Success {
  readonly pod: PodRecord;
  readonly reservation: PodReservation;
}

/**
 * The successes of a Job that do not count: all but the first of each index, or beyond the first `completions`. Count
 * every success, then visit every success again: only the surplus is held.
 */
export class SurplusSuccesses {
  readonly #isIndexed: boolean;
  readonly #completions: number;
  #counted = 0;
  readonly #indexes = new Set<number>();
  /** Indexes with several successes. */
  readonly #repeated = new Map<number, Success[]>();
  /** Successes without an index, in a Job with indexes. */
  #withoutIndex = 0;
  #latest: Success[] = [];
  readonly #taken: Success[] = [];

  constructor({ completionMode, completions }: JobSpec) {
    this.#isIndexed = completionMode === "Indexed";
    this.#completions = completions ?? Number.POSITIVE_INFINITY;
  }

  count({ created }: PodRecord): void {
    this.#counted += 1;
    const index = created?.index;
    if (!this.#isIndexed) return;
    if (index === undefined) this.#withoutIndex += 1;
    else if (this.#indexes.has(index)) this.#repeated.set(index, []);
    else this.#indexes.add(index);
  }

  hasAny(): boolean {
    return this.#isIndexed ? this.#withoutIndex + this.#repeated.size > 0 : this.#surplus() > 0;
  }

  visit(success: Success): void {
    const index = success.pod.created?.index;
    if (!this.#isIndexed) this.#visitShared(success);
    else if (index === undefined) this.#taken.push(success);
    else this.#repeated.get(index)?.push(success);
  }

  take(): readonly Success[] {
    const ofIndexes = [...this.#repeated.values()].flatMap((successes) => successes.sort(byEnd).slice(1));
    return [...this.#taken, ...ofIndexes, ...this.#lastOf(this.#latest)];
  }

  #visitShared(success: Success): void {
    this.#latest.push(success);
    if (this.#latest.length > 2 * this.#surplus() + SPARE) this.#latest = this.#lastOf(this.#latest);
  }

  #lastOf(successes: Success[]): Success[] {
    return successes.sort(byEnd).slice(-Math.max(1, this.#surplus()));
  }

  #surplus(): number {
    return Math.max(0, this.#counted - this.#completions);
  }
}

/** Sorting each time that one more than the surplus is known would take long. */
const SPARE = 1_000;

/** The first success counts: by the end of its work, then by creation, then by uid. */
function byEnd(a: Success, b: Success): number {
  const byTime = a.reservation.doneAt - b.reservation.doneAt || createdAt(a) - createdAt(b);
  return byTime || (a.pod.uid < b.pod.uid ? -1 : 1);
}

function createdAt({ pod }: Success): number {
  return pod.created?.createdAt ?? 0;
}
