import type { JobAnswer } from "../../explain/answer-document.ts";
import { formatInstant, parseInstant } from "../../job/model/instant.ts";

/** The groupings of a summary. Hours and days are those of creation, in UTC. */
export const SUMMARY_GROUPS = ["cluster", "namespace", "owner", "hour", "day"] as const;
export type SummaryGrouping = (typeof SUMMARY_GROUPS)[number];

const MILLIS = { hour: 3_600_000, day: 86_400_000 };

/** The group of a Job: a name, `Kind/name` of the owner (empty without one), or the start of the hour or day. */
export function groupOf(by: SummaryGrouping, job: JobAnswer): string {
  switch (by) {
    case "cluster":
      return job.cluster;
    case "namespace":
      return job.namespace;
    case "owner":
      return job.owner === undefined ? "" : `${job.owner.kind}/${job.owner.name}`;
    case "hour":
    case "day":
      return formatInstant(Math.floor((parseInstant(job.createdAt) ?? 0) / MILLIS[by]) * MILLIS[by]);
  }
}

/** Counted Jobs of a namespace, with their owner, or the beginning of an hour in milliseconds since 1970. */
export interface CountedGroup {
  readonly cluster: string;
  readonly namespace: string;
  readonly group: string;
}

/** The group of counted Jobs, as {@link groupOf} names it. */
export function keyOfGroup(by: SummaryGrouping, { cluster, namespace, group }: CountedGroup): string {
  switch (by) {
    case "cluster":
      return cluster;
    case "namespace":
      return namespace;
    case "owner":
      return group;
    case "hour":
    case "day":
      return formatInstant(Math.floor(Number(group) / MILLIS[by]) * MILLIS[by]);
  }
}
