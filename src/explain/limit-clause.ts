import type { JobLimit, LimitReached } from "../job/findings/find-limit-reached.ts";
import { count } from "../text/sentence.ts";
import type { Clause } from "./finding-clauses.ts";

/** The limit that ended a Job, for its headline. The finding has the counts. */
export function limitClause(finding: LimitReached): readonly Clause[] {
  switch (finding.ended) {
    case "job":
      return [{ full: limitText(finding.limit) }];
    case "pods": {
      const { pods, seconds } = finding.podDeadline;
      const value = seconds === undefined ? "" : ` (${seconds} s)`;
      return [{ full: `${count(pods, "Pod")} ran into the Pod's own activeDeadlineSeconds${value}` }];
    }
  }
}

function limitText(limit: JobLimit): string {
  switch (limit.limit) {
    case "activeDeadlineSeconds":
      return `the Job's activeDeadlineSeconds${limit.seconds === undefined ? "" : ` (${limit.seconds} s)`} ended it`;
    case "backoffLimitByPods":
      return `backoffLimit (${limit.backoffLimit}) reached`;
    case "backoffLimitByRestarts":
      return `backoffLimit (${limit.backoffLimit}) reached by restarts in place`;
    case "podFailurePolicy":
      return "a FailJob rule of its podFailurePolicy matched";
    case "maxFailedIndexes":
      return `maxFailedIndexes (${limit.maxFailedIndexes}) exceeded`;
    case "backoffLimitPerIndex":
      return `indexes ${limit.failedIndexes} reached backoffLimitPerIndex (${limit.backoffLimitPerIndex})`;
    case "other":
      return `Kubernetes gives reason ${limit.reason ?? "none"}`;
  }
}
