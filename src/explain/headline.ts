import type { DerivedJob } from "../job/derived/derived-job.ts";
import type { Finding } from "../job/findings/finding.ts";
import { formatInstant } from "../job/model/instant.ts";
import { durationText } from "../text/duration-text.ts";
import { count, sentence } from "../text/sentence.ts";
import { causeText, countedText } from "./cause/explain-cause.ts";
import { describeCause, lostInBrief, shortCauseText } from "./cause/describe-cause.ts";
import { shortWaitingText, waitingText } from "./cause/explain-waiting.ts";
import { withoutDetails, withoutWaitingDetails } from "./cause/without-details.ts";
import { type Clause, findingClauses, stuckOutcome } from "./finding-clauses.ts";
import { limitClause } from "./limit-clause.ts";
import { headlineState, reRunOf } from "./headline-state.ts";
import { jobDeletionText } from "./job-deletion-text.ts";

/** The most words of a headline. Details go into rows below it. */
export const MAX_HEADLINE_WORDS = 25;

/** The answer to "why?" in one line: the state first, then its cause. */
export function headline(derived: DerivedJob): string {
  const clauses = clausesOf(derived);
  const state = datedState(derived);
  if (clauses.length === 0) return sentence(`${state}${isQuiet(derived) ? "; no findings" : ""}`);
  return sentence([state, ...fitting(state, clauses)].join("; "));
}

/** A state that may have changed since the cluster fell silent is called the last known one. */
function datedState(derived: DerivedJob): string {
  const { completeness } = derived;
  const state = headlineState(derived);
  return completeness.level === "stale"
    ? `Last known state, as of ${formatInstant(completeness.heardAt)}: ${state}`
    : state;
}

/**
 * The clauses that fit, in their order. The necessary ones come in their short form where the line would be too long;
 * the others are left out then.
 */
function fitting(state: string, [first, ...others]: readonly Clause[]): readonly string[] {
  if (first === undefined) return [];
  const clauses = [{ ...first, necessary: true }, ...others];
  let words = wordsOf(state) + sumOf(clauses.filter(({ necessary }) => necessary === true).map(briefOf));
  const kept: string[] = [];
  for (const clause of clauses) {
    const before = clause.necessary === true ? wordsOf(briefOf(clause)) : 0;
    const isFitting = words - before + wordsOf(clause.full) <= MAX_HEADLINE_WORDS;
    if (!isFitting && clause.necessary !== true) continue;
    const text = isFitting ? clause.full : shortestNeeded(clause, MAX_HEADLINE_WORDS - words + before);
    words += wordsOf(text) - before;
    kept.push(text);
  }
  return kept;
}

function shortestNeeded({ short, ...clause }: Clause, maxWords: number): string {
  return short !== undefined && wordsOf(short) <= maxWords ? short : briefOf(clause);
}

function briefOf({ full, brief = full }: Clause): string {
  return brief;
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + wordsOf(text), 0);
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}

/** What the line says besides the state, the most important first. */
function clausesOf(derived: DerivedJob): readonly Clause[] {
  const { findings, verdict } = derived;
  const behind = found(derived, "StatusBehind");
  const doubtful = found(derived, "ContradictingStatus", "CompletionLost", "SuccessFlipped", "DuplicateExecution");
  const lost = [...found(derived, "ReRunAfterSuccess", "PhantomRunning", "NodeUnreachable"), ...stuckOutcome(findings)];
  const rest = [...unknownClauses(derived), ...found(derived, "SidecarHoldsPod", "FinalizerStuck")];
  const cost = costClauses(derived);
  const deletion = deletionClauses(derived);
  switch (verdict.state) {
    case "Failed":
      return [...lost, ...failureClauses(derived), ...doubtful, ...rest, ...deletion];
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
        ...waitingClauses(derived),
        ...doubtful,
        ...rest,
        ...cost,
        ...limits(derived),
        ...behind,
        ...deletion,
      ];
    case "Deleted":
      return [...deletion, ...lost, ...doubtful, ...rest, ...cost];
    case "Unknown":
      return [...deletion, ...lost, ...doubtful, ...rest, ...cost, ...behind];
  }
}

function found({ findings }: DerivedJob, ...kinds: readonly Finding["kind"][]): readonly Clause[] {
  return findings.filter(({ kind }) => kinds.includes(kind)).flatMap((finding) => findingClauses(finding));
}

/** A cause says more: why the outcome is unknown. */
function unknownClauses(derived: DerivedJob): readonly Clause[] {
  return derived.cause?.why.cause === "outcomeLost" ? [] : found(derived, "OutcomeUnknown");
}

/** A deadline says nothing about the attempts, so that the limit comes first; else the cause does. */
function failureClauses(derived: DerivedJob): readonly Clause[] {
  const limit = limits(derived);
  const cause = causeClauses(derived);
  return derived.verdict.reason === "DeadlineExceeded" ? [...limit, ...cause] : [...cause, ...limit];
}

function limits({ findings }: DerivedJob): readonly Clause[] {
  return findings.flatMap((finding) => (finding.kind === "LimitReached" ? limitClause(finding) : []));
}

function causeClauses({ cause }: DerivedJob): readonly Clause[] {
  if (cause === undefined) return [];
  const counted = countedText(cause);
  const clause = {
    full: causeText(cause),
    ...shortForm(shortCauseText(cause.why)),
    brief: describeCause(withoutDetails(cause.why)),
    necessary: true,
  };
  return counted === "" ? [clause] : [clause, { full: counted }];
}

/** What a success cost, or what has failed so far. */
function costClauses({ cause }: DerivedJob): readonly Clause[] {
  if (cause === undefined) return [];
  const { why, attempts, restarts } = cause;
  const [full, brief] = [describeCause(why), describeCause(withoutDetails(why))];
  // The outcome of the attempt is unknown: it may have succeeded.
  if (why.cause === "outcomeLost" && attempts > 0) return [{ full, brief: lostInBrief(why), necessary: true }];
  const times =
    attempts === 0 ? `${count(restarts, "restart")} in place` : `${count(attempts, "attempt")} failed before`;
  return [{ full: `${times}: ${full}`, brief: `${times}: ${brief}` }, ...countedClause(cause)];
}

function countedClause(cause: NonNullable<DerivedJob["cause"]>): readonly Clause[] {
  const counted = countedText(cause);
  return counted === "" ? [] : [{ full: counted }];
}

/** The state has since when, if nothing runs. */
function waitingClauses({ waiting }: DerivedJob): readonly Clause[] {
  if (waiting === undefined || waiting.reason === "Suspended") return [];
  const [text, brief] = [waitingText(waiting), waitingText(withoutWaitingDetails(waiting))];
  if (waiting.running === 0) return [{ full: text, ...shortForm(shortWaitingText(waiting)), brief }];
  const who = `${count(waiting.podCount, "Pod")} waiting since ${formatInstant(waiting.since)}`;
  return [{ full: `${who}: ${text}`, brief: `${who}: ${brief}` }];
}

function shortForm(short: string | undefined): Pick<Clause, "short"> {
  return short === undefined ? {} : { short };
}

/** Since when Kubernetes agrees with a success that the Pods had proven before. */
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

/** A success that Kubernetes has not reported yet is told by {@link reportedClauses}. */
function later({ verdict }: DerivedJob, behind: readonly Clause[]): readonly Clause[] {
  return verdict.basis === "observed" ? [] : behind;
}

function deletionClauses(derived: DerivedJob): readonly Clause[] {
  const text = jobDeletionText(derived);
  return text === undefined ? [] : [{ full: text }];
}

function isQuiet({ findings, cause, waiting, job }: DerivedJob): boolean {
  return (
    findings.length === 0 && cause === undefined && waiting === undefined && (job.deleted ?? job.vanished) === undefined
  );
}
