import * as v from "valibot";
import { type UsageAnswer, usageSchema } from "../../explain/usage/usage-schema.ts";
import { type AnswerOf, count, instant, maybe, text } from "../../explain/answer-parts.ts";
import { presentUsage } from "../../explain/usage/present-usage.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { UsageGrouping } from "./usage-group.ts";
import { addUsage, type GrowingUsage, newUsage, type Usage } from "../../job/usage/usage.ts";

const groupSchema = v.object({ key: text, usage: usageSchema });

export const usageReportSchema = v.object({
  since: v.pipe(instant, v.description("The beginning of the range: of a UTC day, or of an hour if grouped by hour.")),
  until: v.pipe(instant, v.description("The end of the range, exclusive.")),
  usage: v.pipe(
    usageSchema,
    v.description(
      "What the Pods of the Jobs reserved within the range, once their Job is over. A Pod counts in `pods` where it " +
        "was bound to a node. There is no `active` time.",
    ),
  ),
  groups: maybe(
    v.pipe(
      v.array(groupSchema),
      v.description(
        "The same for each group: by time, otherwise the largest first, or that which wastes most. `key` is empty " +
          "where a Job has no such name. `*` are the namespaces of a cluster that has too many of them.",
      ),
    ),
  ),
  groupsOmitted: maybe(v.pipe(count, v.description("How many smaller groups are left out."))),
  unknown: maybe(
    v.pipe(count, v.description("Jobs that are over and left out, because what their Pods reserved is not known.")),
  ),
  asOf: maybe(
    v.pipe(
      v.object({ time: instant }),
      v.description("The time as of which stored sums are. Absent where the Jobs themselves were read."),
    ),
  ),
  complete: v.pipe(v.boolean(), v.description("Whether every Job of the range was read.")),
  partial: maybe(
    v.pipe(v.object({ since: instant }), v.description("If not: only Jobs created at this time or later were read.")),
  ),
});
export type UsageReport = AnswerOf<typeof usageReportSchema>;
export type UsageReportGroup = AnswerOf<typeof groupSchema>;

/** The order of groups: by the time of their Pods, or by its part that was wasted. */
export const USAGE_SORTS = ["size", "waste"] as const;
export type UsageSort = (typeof USAGE_SORTS)[number];

export interface GroupOrder {
  readonly by?: UsageGrouping | undefined;
  /** @default "size" */
  readonly sort?: UsageSort | undefined;
}

export interface UsageQuery extends GroupOrder {
  /** Which Jobs. Times of Jobs do not count: a Job belongs to each hour in which its Pods reserved something. */
  readonly filter: Omit<JobFilter, "createdAfter" | "createdBefore">;
  readonly since: Instant;
  /** Exclusive. */
  readonly until: Instant;
}

/** Seconds of Pods without a result: their work failed, was interrupted or repeated, or had ended before. */
export function wastedSeconds({ podSeconds: { failed, interrupted, duplicate, idle } }: UsageAnswer): number {
  return failed + interrupted + duplicate + idle;
}

function sizeOf(usage: UsageAnswer, sort: UsageSort): number {
  return sort === "waste" ? wastedSeconds(usage) : usage.podSeconds.total;
}

/** Enough for hourly groups over forty days (960). */
const MAX_GROUPS = 1_000;

/** Exact sums of all usage, and of each group. */
export class UsageTallies {
  readonly #total = newUsage();
  readonly #groups = new Map<string, GrowingUsage>();

  /** `key`: the group. Without one, only the total grows. */
  add(key: string | undefined, usage: Usage): void {
    addUsage(this.#total, usage);
    if (key === undefined) return;
    const group = this.#groups.get(key) ?? newUsage();
    this.#groups.set(key, group);
    addUsage(group, usage);
  }

  answer({ by, sort = "size" }: GroupOrder): Pick<UsageReport, "usage" | "groups" | "groupsOmitted"> {
    return { usage: presentUsage(this.#total), ...(by !== undefined && this.#answerGroups(by, sort)) };
  }

  #answerGroups(by: UsageGrouping, sort: UsageSort): Pick<UsageReport, "groups" | "groupsOmitted"> {
    const sorted = [...this.#groups]
      .map(([key, usage]) => ({ key, usage: presentUsage(usage) }))
      .sort((a, b) => sizeOf(b.usage, sort) - sizeOf(a.usage, sort) || (a.key < b.key ? -1 : 1));
    const omitted = Math.max(0, sorted.length - MAX_GROUPS);
    const groups = sorted.slice(0, MAX_GROUPS);
    if (by === "day" || by === "hour") groups.sort((a, b) => (a.key < b.key ? -1 : 1));
    return { groups, ...(omitted > 0 && { groupsOmitted: omitted }) };
  }
}
