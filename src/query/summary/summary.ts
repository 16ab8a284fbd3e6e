import { sortedByName, type SummaryCounts, SummaryTally } from "./summary-tally.ts";

export interface SummaryAnswer extends SummaryCounts {
  /** The same for each group, by key; at most {@link MAX_GROUPS}, those with the most Jobs. */
  readonly groups?: readonly SummaryGroup[];
  /** How many groups are not told of. */
  readonly groupsOmitted?: number;
  /** Set where there were more Jobs than one summary reads: it covers those created at or after `since`. */
  readonly partial?: { readonly since: string };
}
export interface SummaryGroup extends SummaryCounts {
  readonly key: string;
}

/** Hours of forty days. */
const MAX_GROUPS = 1_000;

/** The tally of all Jobs, and one for each group. */
export class SummaryTallies {
  readonly #whole = new SummaryTally();
  readonly #groups = new Map<string, SummaryTally>();

  /** Those that a Job of this group is counted in; without groups the one of all. */
  of(key: string | undefined): readonly SummaryTally[] {
    if (key === undefined) return [this.#whole];
    const known = this.#groups.get(key) ?? new SummaryTally();
    this.#groups.set(key, known);
    return [this.#whole, known];
  }

  answer(isGrouped: boolean): SummaryAnswer {
    return { ...this.#whole.answer(), ...(isGrouped && this.#answerGroups()) };
  }

  #answerGroups(): Pick<SummaryAnswer, "groups" | "groupsOmitted"> {
    const largest = [...this.#groups].sort(([, a], [, b]) => b.jobs - a.jobs).slice(0, MAX_GROUPS);
    const omitted = this.#groups.size - largest.length;
    return {
      groups: sortedByName(new Map(largest)).map(([key, tally]) => ({ key, ...tally.answer() })),
      ...(omitted > 0 && { groupsOmitted: omitted }),
    };
  }
}
