import { bagOf, indexesOf } from "../accounting/index-bag.ts";
import { countIndexes, formatIndexSet, parseIndexSet } from "../accounting/index-set.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { Condition } from "../model/reported-status.ts";
import { isPodFailurePolicy } from "../status/conditions.ts";
import { exceedsBackOffLimit } from "../status/back-off-limit.ts";
import type { JobStatus } from "../status/job-status.ts";
import type { PodSample } from "./pod-sample.ts";

/** The limit that ended the Job, with its value and how far the Job got. */
export type JobLimit =
  | {
      readonly limit: "activeDeadlineSeconds";
      readonly seconds?: number;
      readonly ranMillis?: number;
      readonly failedPods: number;
      readonly takenPods: number;
      readonly backoffLimit: number;
    }
  | ({ readonly limit: "backoffLimitByPods"; readonly failedPods: number; readonly takenPods: number } & BackOffLimit)
  | ({ readonly limit: "backoffLimitByRestarts"; readonly restarts: number } & BackOffLimit)
  | {
      readonly limit: "podFailurePolicy";
      /** The place of the FailJob rule in the policy, from 0. */
      readonly rule?: number;
      readonly message?: string;
      readonly takenPods: number;
      readonly backoffLimit: number;
    }
  | ({ readonly limit: "maxFailedIndexes"; readonly maxFailedIndexes: number } & FailedIndexes)
  | ({ readonly limit: "backoffLimitPerIndex"; readonly backoffLimitPerIndex: number } & FailedIndexes)
  /** Kubernetes gives another reason, or none. */
  | { readonly limit: "other"; readonly reason?: string; readonly message?: string };
export interface FailedIndexes {
  /** The failed indexes in the format of `status.failedIndexes`: "1,3-5". */
  readonly failedIndexes: string;
  /** How many there are. */
  readonly failedCount: number;
  /** Those that a FailIndex rule failed, by the place of the rule in the policy. */
  readonly byRule: readonly { readonly rule: number; readonly indexes: string; readonly count: number }[];
  readonly takenPods: number;
}
interface BackOffLimit {
  readonly backoffLimit: number;
  /** The Job's deadline, if it has one. Readers easily mistake it for the limit that ended the Job. */
  readonly deadline?: { readonly seconds: number; readonly ranMillis: number };
}

/** `activeDeadlineSeconds` of the Pod template. Its reason has the same name as that of the Job's own deadline. */
export interface PodDeadline {
  readonly pods: number;
  readonly seconds?: number;
  readonly jobSeconds?: number;
}

/** What the Pods of the Job show about its limits. */
export interface SeenFailures {
  /** Pods that count towards the limit. */
  readonly failed: PodSample;
  /** The FailJob rule that a Pod matched. */
  failJobRule?: number;
  /** Indexes that a FailIndex rule failed, by the place of the rule. */
  readonly indexesByRule: Map<number, number[]>;
  /** Pods that were deleted because the Job had failed. Kubernetes counts them as failed, but they caused nothing. */
  taken: number;
  /** Restarts in place, of Pods that did not fail. */
  restarts: number;
}

export interface LimitContext {
  readonly job: JobObject;
  readonly spec: JobSpec;
  readonly status: JobStatus;
}

/** The limit that the condition names. */
export function limitOf(ending: Condition, seen: SeenFailures, context: LimitContext): JobLimit {
  const { reason, message } = ending;
  if (isPodFailurePolicy(reason)) return policyOf(ending, seen, context);
  const messageOf = message === undefined ? {} : { message };
  switch (reason ?? "") {
    case "DeadlineExceeded":
      return deadlineOf(ending, seen, context);
    case "BackoffLimitExceeded":
      return backOffOf(ending, seen, context);
    case "MaxFailedIndexesExceeded":
    case "FailedIndexes":
      return indexLimitOf(ending, seen, context);
  }
  return { limit: "other", ...(reason !== undefined && { reason }), ...messageOf };
}

/** The condition names the rule. Without its details, the rules of the spec show which one matched. */
function policyOf({ details, message }: Condition, seen: SeenFailures, { spec }: LimitContext): JobLimit {
  const rule = details?.rule ?? seen.failJobRule;
  return {
    limit: "podFailurePolicy",
    ...(rule !== undefined && { rule }),
    ...(message !== undefined && { message }),
    takenPods: seen.taken,
    backoffLimit: spec.backoffLimit,
  };
}

function indexLimitOf({ reason }: Condition, seen: SeenFailures, { spec, status }: LimitContext): JobLimit {
  const { failedIndexes = "" } = status;
  const { maxFailedIndexes = 0, backoffLimitPerIndex = 0, completions = 0 } = spec;
  const failed = {
    failedIndexes,
    failedCount: countIndexes(parseIndexSet(failedIndexes, completions)),
    byRule: [...seen.indexesByRule].sort(([a], [b]) => a - b).map(indexesOfRule),
    takenPods: seen.taken,
  };
  return reason === "FailedIndexes"
    ? { limit: "backoffLimitPerIndex", backoffLimitPerIndex, ...failed }
    : { limit: "maxFailedIndexes", maxFailedIndexes, ...failed };
}

function indexesOfRule([rule, indexes]: readonly [number, readonly number[]]): FailedIndexes["byRule"][number] {
  const set = indexesOf(bagOf(indexes));
  return { rule, indexes: formatIndexSet(set), count: countIndexes(set) };
}

function deadlineOf(ending: Condition, seen: SeenFailures, context: LimitContext): JobLimit {
  const { activeDeadlineSeconds: seconds, backoffLimit } = context.spec;
  const ranMillis = ranUntil(ending, context);
  return {
    limit: "activeDeadlineSeconds",
    ...(seconds !== undefined && { seconds }),
    ...(ranMillis !== undefined && { ranMillis }),
    failedPods: seen.failed.count,
    takenPods: seen.taken,
    backoffLimit,
  };
}

/**
 * Pods that were deleted in the second of the verdict may be consequences or reasons of it. Where the other failures do
 * not exceed the limit, they are reasons.
 */
function backOffOf(ending: Condition, seen: SeenFailures, context: LimitContext): JobLimit {
  const { spec, status } = context;
  const { backoffLimit, activeDeadlineSeconds: seconds } = spec;
  const ranMillis = ranUntil(ending, context);
  const deadline = seconds === undefined || ranMillis === undefined ? {} : { deadline: { seconds, ranMillis } };
  // Only the Job's own counter includes Pods that a gap hid.
  const knownFailed = Math.max(seen.failed.count, (status.failed ?? 0) - seen.taken);
  const lacking = spec.restartPolicy === "Never" ? backoffLimit + 1 - knownFailed : 0;
  const reasons = Math.max(0, Math.min(seen.taken, lacking));
  const failedPods = knownFailed + reasons;
  const isByPods = exceedsBackOffLimit({ ...spec, restartPolicy: "Never" }, { failed: failedPods, restarts: 0 });
  return isByPods || spec.restartPolicy !== "OnFailure"
    ? { limit: "backoffLimitByPods", failedPods, takenPods: seen.taken - reasons, backoffLimit, ...deadline }
    : { limit: "backoffLimitByRestarts", restarts: seen.restarts, backoffLimit, ...deadline };
}

/** How long the Job had run when it was ended. */
function ranUntil({ lastTransitionAt }: Condition, { job }: LimitContext): number | undefined {
  const startTime = job.reported?.status.startTime;
  return startTime === undefined || lastTransitionAt === undefined ? undefined : lastTransitionAt - startTime;
}
