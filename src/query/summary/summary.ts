import { sortedByName, type SummaryCounts, SummaryTally } from "./summary-tally.ts";

export interface SummaryAnswer extends SummaryTotals {
  /**
   * The time as of which the stored counts are complete, a few minutes ago. Absent if the Jobs themselves were counted.
   */
  readonly asOf?: { readonly time: string };
  /** Whether every Job is counted. Otherwise, `partial` says from which instant on. */
  readonly complete: boolean;
  /** Set if the summary did not read all Jobs: it covers those created at or after `since`. */
  readonly partial?: { readonly since: string };
}

/** The counts of all Jobs and of their groups. */
export interface SummaryTotals extends SummaryCounts {
  /** The same counts for each group, sorted by key. At most {@link MAX_GROUPS}, those with the most Jobs. */
  readonly groups?: readonly SummaryGroup[];
  /** How many groups are left out. */
  readonly groupsOmitted?: number;
}
export interface SummaryGroup extends SummaryCounts {
  readonly key: string;
}

/** Enough for hourly groups over forty days (960). */
const MAX_GROUPS = 1_000;

/** One tally of all Jobs, and one for each group. */
export class SummaryTallies {
  readonly #total = new SummaryTally();
  readonly #groups = new Map<string, SummaryTally>();

  /** How many Jobs are counted so far. */
  get jobs(): number {
    return this.#total.jobs;
  }

  /** The tallies that count a Job of this group. Without groups, only the total. */
  of(key: string | undefined): readonly SummaryTally[] {
    if (key === undefined) return [this.#total];
    return [this.#total, this.ofGroup(key)];
  }

  /** The tally of one group, without the total. */
  ofGroup(key: string): SummaryTally {
    const known = this.#groups.get(key) ?? new SummaryTally();
    this.#groups.set(key, known);
    return known;
  }

  answer(isGrouped: boolean): SummaryTotals {
    return { ...this.#total.answer(), ...(isGrouped && this.#answerGroups()) };
  }

  #answerGroups(): Pick<SummaryTotals, "groups" | "groupsOmitted"> {
    const largest = [...this.#groups].sort(([, a], [, b]) => b.jobs - a.jobs).slice(0, MAX_GROUPS);
    const omitted = this.#groups.size - largest.length;
    return {
      groups: sortedByName(new Map(largest)).map(([key, tally]) => ({ key, ...tally.answer() })),
      ...(omitted > 0 && { groupsOmitted: omitted }),
    };
  }
}
