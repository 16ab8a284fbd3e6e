import type { Condition } from "../model/reported-status.ts";

/** The reasons of a Job's conditions, as upstream spells them (job-semantics 6.2). */
export type FailureReason =
  | "PodFailurePolicy"
  | "BackoffLimitExceeded"
  | "DeadlineExceeded"
  | "MaxFailedIndexesExceeded"
  | "FailedIndexes";
export type SuccessReason = "SuccessPolicy" | "CompletionsReached";

/**
 * Whether a rule of podFailurePolicy ended the Job. From 1.38 on, the reason may name the rule, or its place:
 * `PodFailurePolicy_DatabaseDown`, `PodFailurePolicy_0` (KEP-4443).
 */
export function isPodFailurePolicy(reason = ""): boolean {
  return reason === "PodFailurePolicy" || reason.startsWith("PodFailurePolicy_");
}

/** The messages of the reasons with a constant message. */
export const MESSAGES = {
  BackoffLimitExceeded: "Job has reached the specified backoff limit",
  DeadlineExceeded: "Job was active longer than specified deadline",
  MaxFailedIndexesExceeded: "Job has exceeded the specified maximal number of failed indexes",
  FailedIndexes: "Job has failed indexes",
  CompletionsReached: "Reached expected number of succeeded pods",
} as const;

/**
 * The list after the condition was written. A condition of the same type is replaced if status, reason or message
 * differ. A new condition is appended unless its status is False.
 */
export function ensureCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const known = conditions[at];
  if (known === undefined) return condition.status === "False" ? conditions : [...conditions, condition];
  return isSame(known, condition) ? conditions : conditions.with(at, condition);
}

/** The condition of this type with status True. An interim condition with status False is no verdict. */
export function trueCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === "True");
}

function isSame(a: Condition, b: Condition): boolean {
  return a.status === b.status && (a.reason ?? "") === (b.reason ?? "") && (a.message ?? "") === (b.message ?? "");
}
