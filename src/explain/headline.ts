import type { DerivedJob } from "./derived-job.ts";
import type { HeadlinePlace } from "./findings/finding-registration.ts";
import { formatInstant } from "../job/model/instant.ts";
import { durationText } from "../job/text/duration-text.ts";
import { sentence } from "../job/text/sentence.ts";
import { causeClauses, collateralClauses, costClauses } from "./headline/cause-clauses.ts";
import type { Clause } from "./headline/clause.ts";
import { lastKnown, lineOf } from "./headline/line-of.ts";
import { findingClauses, stuckOutcome } from "./headline/finding-clauses.ts";
import { waitingClauses } from "./headline/waiting-clauses.ts";
import { headlineState, reRunOf } from "./headline-state.ts";
import { jobDeletionText } from "./job-deletion-text.ts";

/** The answer to "why?" in one line: the state first, then its cause. */
export function headline(derived: DerivedJob): string {
  const clauses = clausesOf(derived);
  const state = datedState(derived);
  if (clauses.length === 0) return sentence(`${state}${isQuiet(derived) ? "; no findings" : ""}`);
  return lineOf(state, clauses);
}

function datedState(derived: DerivedJob): string {
  const { completeness } = derived;
  const state = headlineState(derived);
  return completeness.level === "stale" ? lastKnown(state, formatInstant(completeness.heardAt)) : state;
}

/** The clauses after the state, the most important first. */
function clausesOf(derived: DerivedJob): readonly Clause[] {
  const { findings, verdict } = derived;
  const behind = found(derived, "behind");
  const doubtful = found(derived, "doubtful");
  const lost = [...found(derived, "lost"), ...stuckOutcome(findings)];
  const rest = [...unknownClauses(derived), ...found(derived, "rest")];
  const cost = costClauses(derived);
  const deletion = deletionClauses(derived);
  switch (verdict.state) {
    case "Failed":
      return [...lost, ...failureClauses(derived), ...doubtful, ...rest, ...collateralClauses(derived), ...deletion];
    case "Complete":
      return [
        ...lost,
        ...reportedClauses(derived),
        ...doubtful,
        ...cost,
        ...rest,
        ...deletion,
        ...later(derived, behind),
      ];
    case "Pending":
    case "Running":
    case "Suspended":
      return [
        ...lost,
        ...waitingAndCost(derived, cost, [...doubtful, ...rest]),
        ...found(derived, "limit"),
        ...behind,
        ...deletion,
      ];
    case "Deleted":
      return [...deletion, ...lost, ...doubtful, ...rest, ...cost];
    case "Unknown":
      return [...deletion, ...lost, ...doubtful, ...rest, ...cost, ...behind];
  }
}

/** What the Job waits for comes first, unless that is only a delay after failures. */
function waitingAndCost(derived: DerivedJob, cost: readonly Clause[], others: readonly Clause[]): readonly Clause[] {
  const waiting = waitingClauses(derived);
  const isDelayed = derived.waiting?.why.cause === "retryDelay";
  return isDelayed ? [...cost, ...waiting, ...others] : [...waiting, ...others, ...cost];
}

function found({ findings }: DerivedJob, place: HeadlinePlace): readonly Clause[] {
  return findings.flatMap((finding) => findingClauses(finding, place));
}

/** Where the cause says why the outcome is unknown, the findings about it would repeat that. */
function unknownClauses(derived: DerivedJob): readonly Clause[] {
  return derived.cause?.why.cause === "outcomeLost" ? [] : found(derived, "unknown");
}

/**
 * Which clause comes first: the limit if it is a deadline, which says nothing about the attempts, otherwise the cause.
 */
function failureClauses(derived: DerivedJob): readonly Clause[] {
  const limit = found(derived, "limit");
  const cause = causeClauses(derived);
  return derived.verdict.reason === "DeadlineExceeded" ? [...limit, ...cause] : [...cause, ...limit];
}

/** Since when Kubernetes reports a success that the Pods had proven before. */
function reportedClauses(derived: DerivedJob): readonly Clause[] {
  const { job, verdict } = derived;
  const completeAt = reRunOf(derived)?.since;
  const finishAt = job.complete?.condition.lastTransitionAt;
  if (completeAt !== undefined && finishAt !== undefined) {
    return [{ full: `Kubernetes reported it finished ${durationText(finishAt - completeAt)} later` }];
  }
  if (verdict.basis !== "observed" || job.reported === undefined) return [];
  return [{ full: `Kubernetes still reports active ${job.reported.status.active ?? 0}` }];
}

/** A success that Kubernetes has not reported yet is stated by {@link reportedClauses}. */
function later({ verdict }: DerivedJob, behind: readonly Clause[]): readonly Clause[] {
  return verdict.basis === "observed" ? [] : behind;
}

function deletionClauses(derived: DerivedJob): readonly Clause[] {
  const text = jobDeletionText(derived);
  return text === undefined ? [] : [{ full: text }];
}

function isQuiet({ findings, cause, waiting, job }: DerivedJob): boolean {
  const isUneventful = findings.length === 0 && cause === undefined && waiting === undefined;
  return isUneventful && (job.deleted ?? job.vanished) === undefined;
}
