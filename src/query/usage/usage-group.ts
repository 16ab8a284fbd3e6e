import type { JobAnswer } from "../../explain/answer-document.ts";
import { dayStart, formatInstant, hourOf, type Instant } from "../../job/model/instant.ts";

/** By what usage is grouped, beside `label=KEY`. Hours and days are in UTC, and divide the time of each Pod. */
export const USAGE_GROUPS = [
  "cluster",
  "namespace",
  "owner",
  "series",
  "run",
  "category",
  "node",
  "day",
  "hour",
] as const;
type NamedGrouping = (typeof USAGE_GROUPS)[number];

export type UsageGrouping = NamedGrouping | `label=${string}`;
/** Groups that only the Pods of a Job show. */
export type PodGrouping = Extract<NamedGrouping, "category" | "node">;
export type JobGrouping = Exclude<UsageGrouping, PodGrouping>;

const LABEL = "label=";

/** Reads a grouping as a reader writes it. */
export function parseUsageGrouping(text: string): UsageGrouping | undefined {
  if (isLabel(text)) return text.length > LABEL.length ? text : undefined;
  return USAGE_GROUPS.find((known) => known === text);
}

function isLabel(text: string): text is `label=${string}` {
  return text.startsWith(LABEL);
}

export function isPodGrouping(by: UsageGrouping | undefined): by is PodGrouping {
  return by === "category" || by === "node";
}

/** The group of what a Job reserved in an hour; empty where the Job has none. */
export function usageGroupOf(by: JobGrouping, job: JobAnswer, hour: Instant): string {
  if (isLabel(by)) return labelOf(job, by.slice(LABEL.length));
  switch (by) {
    case "cluster":
      return job.cluster;
    case "namespace":
      return job.namespace;
    case "owner":
      return nameOf(job, job.owner);
    case "series":
      return nameOf(job, job.series);
    case "run":
      return nameOf(job, job.run);
    case "day":
      return formatInstant(dayStart(hour));
    case "hour":
      return formatInstant(hourOf(hour));
  }
}

function labelOf({ labels }: JobAnswer, key: string): string {
  return (Object.hasOwn(labels, key) ? labels[key] : undefined) ?? "";
}

/** With the namespace: two teams may have a CronJob of one name. */
function nameOf({ namespace }: JobAnswer, named: Pick<JobAnswer["run"], "kind" | "name"> | undefined): string {
  return named === undefined ? "" : `${namespace}/${named.kind}/${named.name}`;
}
