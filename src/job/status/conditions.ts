import type { Condition } from "../model/reported-status.ts";

/** Why a Job ends, in upstream's words (job-semantics 6.2). */
export type FailureReason =
  | "PodFailurePolicy"
  | "BackoffLimitExceeded"
  | "DeadlineExceeded"
  | "MaxFailedIndexesExceeded"
  | "FailedIndexes";
export type SuccessReason = "SuccessPolicy" | "CompletionsReached";

/** The message of each reason that always has the same. */
export const MESSAGES = {
  BackoffLimitExceeded: "Job has reached the specified backoff limit",
  DeadlineExceeded: "Job was active longer than specified deadline",
  MaxFailedIndexesExceeded: "Job has exceeded the specified maximal number of failed indexes",
  FailedIndexes: "Job has failed indexes",
  CompletionsReached: "Reached expected number of succeeded pods",
} as const;

/**
 * The list after the condition was written: one of the same type is replaced where status, reason or message differ, a
 * new one is appended unless it is False.
 */
export function ensureCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const known = conditions[at];
  if (known === undefined) return condition.status === "False" ? conditions : [...conditions, condition];
  return isSame(known, condition) ? conditions : conditions.with(at, condition);
}

/** The condition of this type whose status is True. An interim condition set to False is no verdict. */
export function trueCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === "True");
}

function isSame(a: Condition, b: Condition): boolean {
  return a.status === b.status && (a.reason ?? "") === (b.reason ?? "") && (a.message ?? "") === (b.message ?? "");
}
