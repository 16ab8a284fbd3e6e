import type { FailedIndexes, JobLimit, LimitReached } from "../../job/findings/find-limit-reached.ts";
import { count, list } from "../../text/sentence.ts";
import type { Clause } from "./finding-clauses.ts";

/** The limit that ended a Job, for its headline. The finding has the counts. */
export function limitClause(finding: LimitReached): readonly Clause[] {
  switch (finding.ended) {
    case "job":
      return [{ full: limitText(finding.limit), ...briefLimit(finding.limit) }];
    case "pods": {
      const { pods, seconds } = finding.podDeadline;
      return [{ full: `${count(pods, "Pod")} ran into the Pod's own activeDeadlineSeconds${secondsText(seconds)}` }];
    }
  }
}

/** The rule without its position in the policy, if the same rule failed each of the indexes. */
function briefLimit(limit: JobLimit): Pick<Clause, "brief"> {
  if (limit.limit !== "backoffLimitPerIndex" || limit.failedCount === 0) return {};
  if (limit.byRule.reduce((sum, { count: indexes }) => sum + indexes, 0) < limit.failedCount) return {};
  return { brief: `${indexesText(limit.failedIndexes, limit.failedCount)} failed by a FailIndex rule` };
}

function secondsText(seconds: number | undefined): string {
  return seconds === undefined ? "" : ` (${seconds} s)`;
}

function limitText(limit: JobLimit): string {
  switch (limit.limit) {
    case "activeDeadlineSeconds":
      return `the Job's activeDeadlineSeconds${secondsText(limit.seconds)} passed`;
    case "backoffLimitByPods":
      return `backoffLimit (${limit.backoffLimit}) reached`;
    case "backoffLimitByRestarts":
      return `backoffLimit (${limit.backoffLimit}) reached by restarts in place`;
    case "podFailurePolicy":
      return limit.rule === undefined
        ? "a FailJob rule of its podFailurePolicy matched"
        : `FailJob rule at index ${limit.rule} of podFailurePolicy matched`;
    case "maxFailedIndexes":
      return `maxFailedIndexes (${limit.maxFailedIndexes}) exceeded${rulesText(limit)}`;
    case "backoffLimitPerIndex":
      return indexText(limit);
    case "other":
      return `Kubernetes gives reason ${limit.reason ?? "none"}`;
  }
}

type IndexLimit = Extract<JobLimit, { limit: "backoffLimitPerIndex" }>;

/** A FailIndex rule fails an index at once, whatever its limit. */
function indexText(limit: IndexLimit): string {
  const { failedIndexes, failedCount, byRule, backoffLimitPerIndex } = limit;
  const which = indexesText(failedIndexes, failedCount);
  const ruled = byRule.reduce((sum, rule) => sum + rule.count, 0);
  if (ruled === 0) return `${which} exceeded backoffLimitPerIndex (${backoffLimitPerIndex})`;
  if (ruled >= failedCount) return `${which} failed${rulesText(limit)}`;
  return `${which} failed${rulesText(limit)}, or exceeded backoffLimitPerIndex (${backoffLimitPerIndex})`;
}

function rulesText({ byRule }: FailedIndexes): string {
  const rules = byRule.map(({ rule }) => String(rule));
  return rules.length === 0 ? "" : ` by FailIndex rule at index ${list(rules)} of podFailurePolicy`;
}

/** The longest list of indexes that a clause repeats. */
const MAX_INDEXES = 30;

/** "index 5", "indexes 1,3-5", "200 indexes"; "some indexes" if Kubernetes does not list them. */
export function indexesText(indexes: string, indexCount: number): string {
  if (indexCount === 0) return "some indexes";
  if (indexCount === 1) return `index ${indexes}`;
  return indexes.length > MAX_INDEXES ? count(indexCount, "index") : `indexes ${indexes}`;
}
