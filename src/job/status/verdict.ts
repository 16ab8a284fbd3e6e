import { exceedsBackOffLimit } from "./back-off-limit.ts";
import { perIndexVerdict } from "./back-off-limit-per-index.ts";
import { isCompleted } from "./completion.ts";
import { type FailureReason, MESSAGES, type SuccessReason, trueCondition } from "./conditions.ts";
import { isPastDeadline } from "./deadline.ts";
import type { Instant } from "../model/instant.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { KnownTotals } from "../accounting/known-totals.ts";
import type { Condition, ReportedStatus } from "../model/reported-status.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import type { PodTally } from "../accounting/pod-tally.ts";

/** How the Job will end: the content of its `FailureTarget` or `SuccessCriteriaMet` condition. */
export interface Decision {
  readonly end: "success" | "failure";
  /** Can be empty for a success, depending on the release of the server. */
  readonly reason: string;
  readonly message: string;
}

export interface VerdictInput {
  readonly spec: JobSpec;
  readonly reported: ReportedStatus | undefined;
  readonly totals: KnownTotals;
  readonly tally: PodTally;
  /** The number of failed Pods that is compared with `backoffLimit`. */
  readonly againstLimit: number;
  /** Deletion of the Job was requested. */
  readonly deleting: boolean;
  readonly now: Instant;
}

/**
 * The first decision that applies, in upstream's order (job-semantics 6): a decision that was written is final, and
 * failure precedes success.
 */
export function decideVerdict(input: VerdictInput): Decision | undefined {
  return reportedDecision(input.reported?.conditions ?? []) ?? failureOf(input) ?? successOf(input);
}

function reportedDecision(conditions: readonly Condition[]): Decision | undefined {
  const success = trueCondition(conditions, "SuccessCriteriaMet");
  if (success !== undefined) return decision("success", success);
  const failure = trueCondition(conditions, "FailureTarget");
  return failure && decision("failure", failure);
}

function decision(end: Decision["end"], { reason, message }: Condition): Decision {
  return { end, reason: reason ?? "", message: message ?? "" };
}

function failureOf({ spec, reported, totals, tally, againstLimit, now }: VerdictInput): Decision | undefined {
  const failJob = tally.failJob[0];
  if (failJob !== undefined) return { end: "failure", reason: "PodFailurePolicy", message: failJob.message };
  const counts = { failed: againstLimit, restarts: tally.restarts };
  if (exceedsBackOffLimit(spec, counts)) return failure("BackoffLimitExceeded");
  if (isPastDeadline(spec, reported, now)) return failure("DeadlineExceeded");
  if (spec.completionMode !== "Indexed") return undefined;
  const perIndex = perIndexVerdict(spec, totals.failedIndexes, totals.completedIndexes);
  return perIndex && failure(perIndex);
}

function failure(reason: Exclude<FailureReason, "PodFailurePolicy">): Decision {
  return { end: "failure", reason, message: MESSAGES[reason] };
}

function successOf({ spec, totals, tally, deleting }: VerdictInput): Decision | undefined {
  if (spec.completionMode === "Indexed") {
    const match = matchSuccessPolicy(spec.successPolicy, totals.completedIndexes, spec.completions ?? 0);
    if (match !== undefined) return success("SuccessPolicy", match.message);
  }
  const { succeeded } = totals;
  return isCompleted(spec, { succeeded, active: tally.active, deleting })
    ? success("CompletionsReached", MESSAGES.CompletionsReached)
    : undefined;
}

function success(reason: SuccessReason, message: string): Decision {
  return { end: "success", reason, message };
}
