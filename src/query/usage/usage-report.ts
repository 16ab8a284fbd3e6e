import * as v from "valibot";
import { type UsageAnswer, usageSchema } from "../../explain/usage/usage-schema.ts";
import { type AnswerOf, count, instant, maybe, text } from "../../explain/answer-parts.ts";
import { presentUsage } from "../../explain/usage/present-usage.ts";
import { canonical } from "../../job/model/canonical.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { NodeLabel } from "../../job/usage/node-labels.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { UsageGrouping } from "./usage-group.ts";
import { addUsage, type GrowingUsage, newUsage, type Usage } from "../../job/usage/usage.ts";

const nodesSchema = v.pipe(
  v.array(
    v.object({
      labels: maybe(
        v.pipe(
          v.record(v.string(), v.string()),
          v.description("Those of `nodeLabels` that the Node had. Absent if its labels are not known."),
        ),
      ),
      usage: usageSchema,
    }),
  ),
  v.description("The same by the labels of the Nodes that the Pods ran on, if `nodeLabels` asks for it."),
);
const groupSchema = v.object({ key: text, usage: usageSchema, nodes: maybe(nodesSchema) });

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
  nodes: maybe(nodesSchema),
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
/** What the Pods on Nodes with these labels reserved. */
export type UsageOnNodes = NonNullable<UsageReport["nodes"]>[number];

/** The order of groups: by the time of their Pods, or by its part that was wasted. */
export const USAGE_SORTS = ["size", "waste"] as const;
export type UsageSort = (typeof USAGE_SORTS)[number];

export interface GroupOrder {
  readonly by?: UsageGrouping | undefined;
  /** @default "size" */
  readonly sort?: UsageSort | undefined;
}

export interface UsageQuery extends GroupOrder {
  /** The labels of Nodes by which all usage is also divided. */
  readonly nodeLabels?: readonly NodeLabel[] | undefined;
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
/** The most parts by Node labels in all groups together: 3 MB. */
const MAX_PARTS = 4_000;
/** The most sets of Node labels in a report. Nodes with further ones count as unknown. */
const MAX_LABEL_SETS = 1_000;

/** The Nodes that Pods ran on. */
export interface NodePart {
  /** `undefined` if they are not known. */
  readonly labels: UsageOnNodes["labels"];
}

/** Exact sums of all usage, and of each group. */
export class UsageTallies {
  readonly #total = new UsageTally();
  readonly #groups = new Map<string, UsageTally>();
  readonly #labelSets = new Set<string>();

  /** `key`: the group. Without one, only the total grows. `part`: the Nodes, if the report is divided by them. */
  add(key: string | undefined, usage: Usage, part?: NodePart): void {
    const counted = part && this.#bounded(part);
    this.#total.add(usage, counted);
    if (key === undefined) return;
    const group = this.#groups.get(key) ?? new UsageTally();
    this.#groups.set(key, group);
    group.add(usage, counted);
  }

  answer({ by, sort = "size" }: GroupOrder): Pick<UsageReport, "usage" | "nodes" | "groups" | "groupsOmitted"> {
    return { ...this.#total.answer(), ...(by !== undefined && this.#answerGroups(by, sort)) };
  }

  #bounded(part: NodePart): NodePart {
    const set = setOf(part);
    if (!this.#labelSets.has(set) && this.#labelSets.size >= MAX_LABEL_SETS) return { labels: undefined };
    this.#labelSets.add(set);
    return part;
  }

  #answerGroups(by: UsageGrouping, sort: UsageSort): Pick<UsageReport, "groups" | "groupsOmitted"> {
    const sorted = [...this.#groups]
      .map(([key, tally]) => ({ key, ...tally.answer() }))
      .sort((a, b) => sizeOf(b.usage, sort) - sizeOf(a.usage, sort) || (a.key < b.key ? -1 : 1));
    const groups = sorted.slice(0, groupsWithin(sorted));
    const omitted = sorted.length - groups.length;
    if (by === "day" || by === "hour") groups.sort((a, b) => (a.key < b.key ? -1 : 1));
    return { groups, ...(omitted > 0 && { groupsOmitted: omitted }) };
  }
}

/** How many of the groups an answer has room for. */
function groupsWithin(groups: readonly UsageReportGroup[]): number {
  let parts = 0;
  const first = groups.findIndex(({ nodes = [] }) => {
    parts += nodes.length;
    return parts > MAX_PARTS;
  });
  return Math.min(MAX_GROUPS, first === -1 ? groups.length : first);
}

/** The sums of one group. */
class UsageTally {
  readonly #usage = newUsage();
  readonly #parts = new Map<string, NodePart & { readonly usage: GrowingUsage }>();

  add(usage: Usage, part: NodePart | undefined): void {
    addUsage(this.#usage, usage);
    if (part === undefined) return;
    const set = setOf(part);
    const known = this.#parts.get(set) ?? { ...part, usage: newUsage() };
    this.#parts.set(set, known);
    addUsage(known.usage, usage);
  }

  answer(): Pick<UsageReportGroup, "usage" | "nodes"> {
    const nodes = [...this.#parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => presentPart(part));
    return { usage: presentUsage(this.#usage), ...(nodes.length > 0 && { nodes }) };
  }
}

function setOf({ labels }: NodePart): string {
  return labels === undefined ? "" : canonical(labels);
}

function presentPart({ labels, usage }: NodePart & { readonly usage: Usage }): UsageOnNodes {
  return { ...(labels !== undefined && { labels }), usage: presentUsage(usage) };
}
