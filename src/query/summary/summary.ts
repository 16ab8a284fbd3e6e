import * as v from "valibot";
import { type AnswerOf, count, instant, maybe, text } from "../../explain/answer-parts.ts";
import { sortedByName, summaryEntries, SummaryTally } from "./summary-tally.ts";

const groupSchema = v.object({ key: text, ...summaryEntries });

/** The counts of all Jobs and of their groups. */
const totalsEntries = {
  ...summaryEntries,
  /** Sorted by key. At most {@link MAX_GROUPS}, those with the most Jobs. */
  groups: maybe(
    v.pipe(
      v.array(groupSchema),
      v.description(
        "The same counts for each group. `key` is a name, `Kind/name` of " +
          "the owner (empty without one), or the start of the hour or day.",
      ),
    ),
  ),
  /** How many groups are left out. */
  groupsOmitted: maybe(count),
} as const;

export const summarySchema = v.object({
  ...totalsEntries,
  asOf: maybe(
    v.pipe(
      v.object({ time: instant }),
      v.description(
        "The time as of which stored counts are: usually one to five minutes ago. Every change before it is counted. " +
          "Absent where the Jobs themselves were counted for this answer.",
      ),
    ),
  ),
  complete: v.pipe(v.boolean(), v.description("Whether every Job is counted.")),
  partial: maybe(
    v.pipe(
      v.object({ since: instant }),
      v.description("If not: the summary covers the Jobs that were created at this time or later."),
    ),
  ),
});
export type SummaryGroup = AnswerOf<typeof groupSchema>;
export type SummaryTotals = AnswerOf<v.ObjectSchema<typeof totalsEntries, undefined>>;
export type SummaryAnswer = AnswerOf<typeof summarySchema>;

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
