import { trueCondition } from "./conditions.ts";
import { currentSpec } from "../model/current-spec.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { State } from "../model/states.ts";
import { isLeftAlone } from "./managed-by.ts";
import type { DerivedStatus } from "./status.ts";
import type { PodTally } from "../accounting/pod-tally.ts";

export interface Verdict {
  readonly state: State;
  readonly reason?: string;
  /** Whether the verdict is final: Complete or Failed was reported, or an untracked Job is proven complete. */
  readonly final: boolean;
  /** The source: Kubernetes, the observed Pods, or both. */
  readonly basis: "reported" | "observed" | "both";
  /** RFC 3339. */
  readonly since?: string;
}

/** The Job's state, its source, and whether it can still change. */
export function verdictOf(job: JobObject, tally: PodTally, derived: DerivedStatus): Verdict {
  return (
    provenVerdict(tally, job, derived) ??
    reportedVerdict(derived) ??
    goneVerdict(job, derived) ??
    liveVerdict(job, tally, derived)
  );
}

/** An untracked Job proven complete is complete, whatever is reported. */
function provenVerdict(tally: PodTally, job: JobObject, { proven, reportedEnd }: DerivedStatus): Verdict | undefined {
  if (!proven) return undefined;
  const isReported = reportedEnd?.condition.type === "Complete";
  return {
    state: "Complete",
    reason: "CompletionsReached",
    final: true,
    basis: isReported ? "both" : "observed",
    ...since(isReported ? reportedEnd.condition.lastTransitionAt : provenAt(job, tally)),
  };
}

/** When the Job reached its completions; `undefined` if it needs more successes than the tally keeps instants of. */
function provenAt(job: JobObject, { successes }: PodTally): Instant | undefined {
  const completions = currentSpec(job)?.completions ?? 0;
  return completions === 0 ? job.created?.createdAt : successes[completions - 1];
}

function reportedVerdict(derived: DerivedStatus): Verdict | undefined {
  if (derived.reportedEnd === undefined) return undefined;
  const { type, reason, lastTransitionAt } = derived.reportedEnd.condition;
  const state = type === "Complete" ? "Complete" : "Failed";
  return {
    state,
    ...reasonOf(reason),
    final: true,
    basis: isObservedToo(state, derived) ? "both" : "reported",
    ...since(lastTransitionAt),
  };
}

/** The Pods alone prove the same end. */
function isObservedToo(state: "Complete" | "Failed", { observedEnd }: DerivedStatus): boolean {
  return observedEnd === (state === "Complete" ? "success" : "failure");
}

/**
 * A Job that is gone before its end was reported is deleted, not failed. If it was missing from a later list, its end
 * is unknown unless the Pods prove it.
 */
function goneVerdict({ deleted, vanished }: JobObject, { observedEnd }: DerivedStatus): Verdict | undefined {
  if (deleted !== undefined) return { state: "Deleted", final: false, basis: "reported", ...since(deleted.at) };
  if (vanished === undefined) return undefined;
  const state = observedEnd === "success" ? "Complete" : "Unknown";
  return { state, final: false, basis: "observed", ...since(vanished.at) };
}

function liveVerdict(job: JobObject, tally: PodTally, derived: DerivedStatus): Verdict {
  const spec = currentSpec(job);
  if (job.created === undefined || spec === undefined) return { state: "Unknown", final: false, basis: "observed" };
  return decidedVerdict(job, derived) ?? suspendedVerdict(job, spec) ?? startedVerdict(job, tally);
}

/** The Job will end, or its Pods show that it has ended. Only a report from Kubernetes makes that final. */
function decidedVerdict(job: JobObject, { decision, computedEnd }: DerivedStatus): Verdict | undefined {
  if (decision === undefined) return undefined;
  const type = decision.end === "success" ? "SuccessCriteriaMet" : "FailureTarget";
  const interim = trueCondition(job.reported?.status.conditions ?? [], type);
  return {
    state: computedEnd ?? "Running",
    ...reasonOf(decision.reason),
    final: false,
    basis: computedEnd === undefined && interim !== undefined ? "both" : "observed",
    ...since(interim?.lastTransitionAt),
  };
}

function suspendedVerdict({ reported }: JobObject, spec: JobSpec): Verdict | undefined {
  const condition = trueCondition(reported?.status.conditions ?? [], "Suspended");
  const isSuspended = isLeftAlone(spec) ? condition !== undefined : spec.suspend;
  if (!isSuspended) return undefined;
  const reason = condition?.reason ?? "JobSuspended";
  return { state: "Suspended", reason, final: false, basis: "reported", ...since(condition?.lastTransitionAt) };
}

function startedVerdict({ reported }: JobObject, { outcomes }: PodTally): Verdict {
  const hasPods = Object.values(outcomes).some((count) => count > 0);
  const startTime = reported?.status.startTime;
  const isReported = startTime !== undefined || (reported?.status.active ?? 0) > 0;
  if (hasPods) return { state: "Running", final: false, basis: isReported ? "both" : "observed", ...since(startTime) };
  if (isReported) return { state: "Running", final: false, basis: "reported", ...since(startTime) };
  return { state: "Pending", final: false, basis: reported === undefined ? "observed" : "reported" };
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined || reason === "" ? {} : { reason };
}

function since(at: Instant | undefined): { readonly since?: string } {
  return at === undefined ? {} : { since: formatInstant(at) };
}
