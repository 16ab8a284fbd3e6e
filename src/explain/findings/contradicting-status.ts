import { countIndexes, parseIndexSet } from "../../job/accounting/index-set.ts";
import { type ImpossibleEnd, impossibleEnds } from "../../job/evidence/impossible-end.ts";
import { type Evidence, jobEvidence } from "../../job/model/evidence.ts";
import type { JobFinished } from "../../job/model/fact.ts";
import { isFirstSeenLate } from "../../job/model/first-observation.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { Counter } from "../../job/model/milestone.ts";
import { compareOrder } from "../../job/model/order.ts";
import { isGone, outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { ReportedStatus } from "../../job/model/reported-status.ts";
import { trueCondition } from "../../job/status/conditions.ts";
import { count } from "../../job/text/sentence.ts";
import type { Clause } from "../headline/clause.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";

export type ContradictingStatus = FindingOf<
  "ContradictingStatus",
  { readonly contradictions: readonly StatusContradiction[] },
  ContradictingStatusShows
>;

/** A statement in the reported status that cannot be true. */
export type StatusContradiction =
  /** The counter is higher than the number of Pods that can have ended this way. */
  | { readonly contradiction: "abovePods"; readonly counter: Counter; readonly reported: number; readonly pods: number }
  | { readonly contradiction: "conditions"; readonly types: readonly [string, string] }
  | { readonly contradiction: "indexes"; readonly succeeded: number; readonly completedIndexes: number }
  | ImpossibleEnd
  /** The Job was reported Complete with more successes than Pods had succeeded by then. */
  | { readonly contradiction: "completeEarly"; readonly succeeded: number; readonly pods: number }
  /** The counter was higher before. */
  | { readonly contradiction: "backwards"; readonly counter: Counter; readonly from: number; readonly to: number }
  /** The Job had finished, and its condition is gone. */
  | { readonly contradiction: "finishWithdrawn"; readonly type: string };

export type ContradictingStatusShows =
  | { readonly what: "reported"; readonly succeeded: number; readonly failed: number }
  | { readonly what: "finished"; readonly type: string };

/**
 * A reported status that contradicts itself, its earlier versions or the Pods: something other than the Job controller
 * wrote it. It is compared with the Pods only if each Pod was observed from its beginning.
 */
const find: Find<ContradictingStatus> = (context) => {
  const pods = new CountablePods(context);
  return {
    visit: (pod) => pods.add(pod),
    found() {
      const { reported } = context.job;
      if (reported === undefined || reported.status.truncated === true) return [];
      const contradictions = [
        ...pods.contradictions(reported.status),
        ...contradictingConditions(reported.status),
        ...contradictingIndexes(reported.status, context),
        ...impossibleEnds({ ...context, isTracked: context.rules.tracking === "tracked" }),
        ...backwards(context),
      ];
      return contradictions.length === 0
        ? []
        : [{ kind: "ContradictingStatus", contradictions, evidence: evidenceOf(context.job) }];
    },
  };
};

/** What the page says about the kind. */
export const contradictingStatusText: KindText = {
  title: "Contradicting status",
  meaning: "The status that Kubernetes reports contradicts itself or the Pods.",
};

export const contradictingStatus: FindingRegistration<ContradictingStatus> = {
  rule: { of: "managedJobObject", find },
  message: ({ contradictions }) => `The reported status contradicts itself or the Pods: ${allOf(contradictions)}.`,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => [
    "Find out who writes the Job's status besides the Job controller: " +
      "look for requests to jobs/status in the audit log.",
  ],
  headline: { place: "doubtful", clauses: (finding) => [contradictionClause(finding)] },
  contradictsReport: true,
};

/** How far the Job's stream may be ahead of the stream of its Pods. */
const LAG_MS = 10_000;

/** The Pods that a counter can count. */
class CountablePods {
  readonly #context: FindingContext;
  readonly #counts = { succeeded: 0, failed: 0 };
  #succeededBeforeEnd = 0;
  #seen = 0;
  #hasMissed: boolean;

  constructor(context: FindingContext) {
    this.#context = context;
    this.#hasMissed = hasMissed(context);
  }

  add(pod: PodRecord): void {
    const { job } = this.#context;
    this.#seen += 1;
    if (isFirstSeenLate(pod, job.created?.createdAt)) this.#hasMissed = true;
    if (this.#mayHaveSucceeded(pod)) this.#counts.succeeded += 1;
    if (mayHaveSucceededBefore(pod, job.complete)) this.#succeededBeforeEnd += 1;
    if (this.#mayHaveFailed(pod)) this.#counts.failed += 1;
  }

  contradictions(status: ReportedStatus): readonly StatusContradiction[] {
    if (this.#hasMissed || this.#seen === 0) return [];
    const above = (["succeeded", "failed"] as const).flatMap((counter): readonly StatusContradiction[] => {
      const reported = status[counter] ?? 0;
      const pods = this.#counts[counter];
      return reported > pods ? [{ contradiction: "abovePods", counter, reported, pods }] : [];
    });
    return above.length > 0 ? above : this.#completeEarly(status);
  }

  /** The Job controller reads the Pods that it counts, so each of them had ended before. */
  #completeEarly({ succeeded = 0, completedIndexes }: ReportedStatus): readonly StatusContradiction[] {
    const { complete } = this.#context.job;
    const pods = this.#succeededBeforeEnd;
    if (complete === undefined || completedIndexes !== undefined || succeeded <= pods) return [];
    return [{ contradiction: "completeEarly", succeeded, pods }];
  }

  #mayHaveSucceeded(pod: PodRecord): boolean {
    return pod.succeeded !== undefined || isGoneUnheard(pod) || (isOpen(pod) && this.#isLagging());
  }

  #mayHaveFailed(pod: PodRecord): boolean {
    if (isOpen(pod)) return pod.deletionRequested !== undefined || this.#isFailing() || this.#isLagging();
    const { succeeded, failed, deletionRequested: deletion = pod.deleted } = pod;
    if (failed !== undefined || succeeded === undefined) return true;
    // Once its deletion is requested, a Pod counts as failed, whatever its program does then.
    return deletion !== undefined && compareOrder(deletion, succeeded) <= 0;
  }

  /** The Job controller counts every Pod as failed that it deletes for the Job's failure. */
  #isFailing(): boolean {
    const conditions = this.#context.job.reported?.status.conditions ?? [];
    return (trueCondition(conditions, "Failed") ?? trueCondition(conditions, "FailureTarget")) !== undefined;
  }

  #isLagging(): boolean {
    const { job, now } = this.#context;
    return job.reported !== undefined && now - job.reported.at < LAG_MS;
  }
}

/** Revisions of one etcd order both. A Pod that is gone without an observed end may have succeeded at any time. */
function mayHaveSucceededBefore(pod: PodRecord, complete: JobFinished | undefined): boolean {
  if (complete === undefined) return false;
  if (isGoneUnheard(pod)) return true;
  const { succeeded } = pod;
  return succeeded !== undefined && (succeeded.epoch !== complete.epoch || compareOrder(succeeded, complete) < 0);
}

/** It is gone without an observed end. */
function isGoneUnheard(pod: PodRecord): boolean {
  return isGone(pod) && pod.succeeded === undefined && pod.failed === undefined;
}

function isOpen(pod: PodRecord): boolean {
  const outcome = outcomeOf(pod);
  return outcome === "Active" || outcome === "Terminating";
}

/** Pods may have ended unobserved: before the first observation of the Job, or in a gap. */
function hasMissed({ job, rules, clusterContext }: FindingContext): boolean {
  const { created, firstReported } = job;
  if (created === undefined || firstReported === undefined) return true;
  const { succeeded = 0, failed = 0, startTime, conditions } = firstReported.status;
  // A controller without finalizers forgets Pods that are gone.
  const mayHaveForgotten = rules.tracking !== "tracked" && startTime !== undefined;
  if (succeeded + failed > 0 || conditions.length > 0 || mayHaveForgotten) return true;
  return clusterContext.gaps.some(({ to }) => to >= created.createdAt);
}

/** Pairs of conditions of which the Job controller writes at most one. */
const EXCLUSIVE: readonly (readonly [string, string])[] = [
  ["Complete", "Failed"],
  ["Complete", "FailureTarget"],
  ["SuccessCriteriaMet", "Failed"],
  ["SuccessCriteriaMet", "FailureTarget"],
];

function contradictingConditions({ conditions }: ReportedStatus): readonly StatusContradiction[] {
  return EXCLUSIVE.filter((types) => types.every((type) => trueCondition(conditions, type) !== undefined))
    .slice(0, 1)
    .map((types) => ({ contradiction: "conditions", types }));
}

function contradictingIndexes(
  { succeeded = 0, completedIndexes }: ReportedStatus,
  { spec }: FindingContext,
): readonly StatusContradiction[] {
  if (spec.completionMode !== "Indexed" || completedIndexes === undefined) return [];
  const indexes = countIndexes(parseIndexSet(completedIndexes, Infinity));
  return indexes === succeeded ? [] : [{ contradiction: "indexes", succeeded, completedIndexes: indexes }];
}

/** Counters of a tracked Job never fall, except successes of an Indexed Job that shrinks. A finished Job stays so. */
function backwards({ job, spec, rules }: FindingContext): readonly StatusContradiction[] {
  const { peakSucceeded, peakFailed, reported } = job;
  if (reported === undefined) return [];
  const peaks = { succeeded: spec.completionMode === "Indexed" ? undefined : peakSucceeded, failed: peakFailed };
  const fallen = (["succeeded", "failed"] as const).flatMap((counter): readonly StatusContradiction[] => {
    const peak = peaks[counter];
    // In a cluster that was restored from a backup, the counters continue from the backup.
    if (peak === undefined || peak.epoch !== reported.epoch || compareOrder(peak, reported) > 0) return [];
    const [from, to] = [peak.status[counter] ?? 0, reported.status[counter] ?? 0];
    return [{ contradiction: "backwards", counter, from, to }];
  });
  const withdrawn = finishesOf(job)
    .filter(({ condition: { type }, ...order }) => {
      return compareOrder(order, reported) < 0 && trueCondition(reported.status.conditions, type) === undefined;
    })
    .map(({ condition: { type } }): StatusContradiction => ({ contradiction: "finishWithdrawn", type }));
  return [...(rules.tracking === "tracked" ? fallen : []), ...withdrawn];
}

function finishesOf({ complete, failed }: JobObject): readonly JobFinished[] {
  return [complete, failed].filter((fact) => fact !== undefined);
}

function evidenceOf(job: JobObject): readonly Evidence<ContradictingStatusShows>[] {
  const { reported } = job;
  const finishes = finishesOf(job).map((fact) => jobEvidence(job, fact, finishShown(fact)));
  if (reported === undefined) return finishes;
  const { succeeded = 0, failed = 0 } = reported.status;
  return [...finishes, jobEvidence(job, reported, { what: "reported", succeeded, failed })];
}

function finishShown({ condition: { type } }: JobFinished): ContradictingStatusShows {
  return { what: "finished", type };
}

function allOf(contradictions: readonly StatusContradiction[]): string {
  return contradictions.map(describeContradiction).join("; ");
}

/** "succeeded is 3, and only 1 Pod can have succeeded". */
function describeContradiction(contradiction: StatusContradiction): string {
  switch (contradiction.contradiction) {
    case "abovePods": {
      const { counter, reported, pods } = contradiction;
      return `${counter} is ${reported}, and ${atMost(pods)} can have ${counter}`;
    }
    case "conditions":
      return `conditions ${contradiction.types[0]} and ${contradiction.types[1]} are both True`;
    case "indexes": {
      const { succeeded, completedIndexes } = contradiction;
      return `succeeded is ${succeeded}, and completedIndexes has ${count(completedIndexes, "index")}`;
    }
    case "completeBelow":
      return `the Job is Complete with ${contradiction.succeeded} of ${contradiction.completions} completions`;
    case "completeEarly": {
      const { succeeded, pods } = contradiction;
      return `the Job was Complete with ${succeeded} succeeded when ${atMost(pods)} had succeeded`;
    }
    case "withoutLimit":
      return `the Job failed for ${contradiction.reason}, and its spec has no ${contradiction.field}`;
    case "belowBackoffLimit": {
      const { failed, backoffLimit } = contradiction;
      return `the Job failed for BackoffLimitExceeded with ${failed} failed Pods, and backoffLimit is ${backoffLimit}`;
    }
    case "backwards":
      return `${contradiction.counter} fell from ${contradiction.from} to ${contradiction.to}`;
    case "finishWithdrawn":
      return `the Job was ${contradiction.type}, and the condition was removed`;
  }
}

function atMost(pods: number): string {
  return pods === 0 ? "no Pod" : `only ${count(pods, "Pod")}`;
}

function describeShown(shows: ContradictingStatusShows): string {
  switch (shows.what) {
    case "reported":
      return `was reported with succeeded ${shows.succeeded} and failed ${shows.failed}`;
    case "finished":
      return `was reported ${shows.type}`;
  }
}

function contradictionClause({ contradictions: [first] }: ContradictingStatus): Clause {
  const brief = "the reported status contradicts itself or the Pods";
  if (first === undefined) return { full: brief, necessary: true };
  return { full: `the reported status contradicts the facts: ${describeContradiction(first)}`, brief, necessary: true };
}
