import { countedAs, ledgerOf, policyMatchOf } from "../../job/accounting/ledger.ts";
import { isTakenByVerdict } from "../../job/attribution/pod-deletion-by-job.ts";
import { impossibleEnds } from "../../job/evidence/impossible-end.ts";
import {
  type FailedIndexes,
  type JobLimit,
  limitOf,
  type PodDeadline,
  type SeenFailures,
} from "../../job/evidence/job-limit.ts";
import { type PodEnded, podEndEvidence } from "../../job/evidence/pod-end-evidence.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, jobEvidence } from "../../job/model/evidence.ts";
import { compareOrder } from "../../job/model/order.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt, restartsOf } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { Condition } from "../../job/model/reported-status.ts";
import { endingsOf } from "../../job/status/job-ending.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import type { Clause } from "../headline/clause.ts";
import { describePodEnd } from "../pod-end-text.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type LimitReached = FindingOf<
  "LimitReached",
  | { readonly ended: "job"; readonly limit: JobLimit; readonly podDeadline?: PodDeadline }
  /** Pods reached their own deadline, and no limit ended the Job. */
  | { readonly ended: "pods"; readonly podCount: number; readonly podDeadline: PodDeadline },
  LimitReachedShows
>;

export type LimitReachedShows =
  | PodEnded
  | { readonly what: "jobCondition"; readonly type: string; readonly reason?: string };

/**
 * Which limit ended the Job, and how far the Job had got towards each. Limits with similar names are easily mixed up.
 */
const find: Find<LimitReached> = (context) => {
  const seen: Seen = {
    failed: new PodSample(),
    podDeadline: new PodSample(),
    indexesByRule: new Map(),
    taken: 0,
    restarts: 0,
  };
  return {
    visit(pod) {
      if (isTakenByVerdict(pod, context.job)) seen.taken += 1;
      else if (countedAs(ledgerOf(pod, context.rules)) === "failed") seen.failed.add(pod);
      addRule(seen, pod, context);
      if (!failedByItself(pod)) seen.restarts += restartsOf(pod);
      if (isPodDeadline(pod)) seen.podDeadline.add(pod);
    },
    found() {
      const ending = endingsOf(context.job).find(({ type }) => type === "FailureTarget" || type === "Failed");
      if (ending !== undefined) return isForged(seen, context) ? [] : [jobFinding(ending, seen, context)];
      const podDeadline = podDeadlineOf(seen, context);
      return podDeadline === undefined ? [] : [podFinding(podDeadline, seen)];
    },
  };
};

/** What the page says about the kind. */
export const limitReachedText: KindText = {
  title: "Limit reached",
  meaning: "The Job failed because of a limit in its spec: back-off limit, deadline or policy.",
};

export const limitReached: FindingRegistration<LimitReached> = {
  rule: { of: "managedJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  // The remedies come from the cause of the attempts: raising a limit helps against few causes.
  remedies: () => [],
  headline: { place: "limit", clauses: limitClause },
};

/** No Pod failed, and the Job cannot have reached the limit that its condition names: that is a contradiction. */
function isForged({ failed, taken }: Seen, context: FindingContext): boolean {
  if (failed.count + taken > 0) return false;
  const ends = impossibleEnds({ ...context, isTracked: context.rules.tracking === "tracked" });
  return ends.some(({ contradiction }) => contradiction !== "completeBelow");
}

interface Seen extends SeenFailures {
  readonly podDeadline: PodSample;
}

function addRule(seen: Seen, pod: PodRecord, { rules }: FindingContext): void {
  const match = policyMatchOf(pod, rules);
  const { action, rule } = match ?? {};
  if (rule === undefined) return;
  if (action === "FailJob") seen.failJobRule = Math.min(seen.failJobRule ?? rule, rule);
  const index = pod.created?.index;
  if (action !== "FailIndex" || index === undefined) return;
  const known = seen.indexesByRule.get(rule);
  if (known === undefined) seen.indexesByRule.set(rule, [index]);
  else known.push(index);
}

function failedByItself(pod: PodRecord): boolean {
  const end = firstEnd(pod);
  if (end?.phase !== "Failed") return false;
  return pod.deletionRequested === undefined || compareOrder(end, pod.deletionRequested) < 0;
}

function isPodDeadline(pod: PodRecord): boolean {
  return firstEnd(pod)?.phase === "Failed" && pod.failed?.reason === "DeadlineExceeded";
}

function jobFinding(ending: Condition, seen: Seen, context: FindingContext): LimitReached {
  const { job } = context;
  const reports = job.failed ?? job.reported;
  const { type, reason, lastTransitionAt } = ending;
  const shows: LimitReachedShows = { what: "jobCondition", type, ...(reason !== undefined && { reason }) };
  const reported: readonly Evidence<LimitReachedShows>[] =
    reports === undefined ? [] : [jobEvidence(job, reports, shows)];
  const podDeadline = podDeadlineOf(seen, context);
  return {
    kind: "LimitReached",
    ended: "job",
    limit: limitOf(ending, seen, context),
    ...(podDeadline !== undefined && { podDeadline }),
    ...(lastTransitionAt !== undefined && { since: lastTransitionAt }),
    ...(seen.failed.count > 0 && seen.failed.named),
    evidence: [...seen.failed.pods.flatMap(podEndEvidence), ...reported],
  };
}

function podDeadlineOf({ podDeadline }: Seen, { spec }: FindingContext): PodDeadline | undefined {
  if (podDeadline.count === 0) return undefined;
  const seconds = podDeadline.pods[0]?.created?.activeDeadlineSeconds ?? spec.podActiveDeadlineSeconds;
  const { activeDeadlineSeconds: jobSeconds } = spec;
  return {
    pods: podDeadline.count,
    ...(seconds !== undefined && { seconds }),
    ...(jobSeconds !== undefined && { jobSeconds }),
  };
}

function podFinding(podDeadline: PodDeadline, { podDeadline: sample }: Seen): LimitReached {
  const evidence = sample.pods.flatMap(podEndEvidence);
  return { kind: "LimitReached", ended: "pods", podDeadline, ...sample.since(endedAt), ...sample.named, evidence };
}

function messageOf(finding: LimitReached): string {
  switch (finding.ended) {
    case "job": {
      const podDeadline = finding.podDeadline === undefined ? "" : `; ${podDeadlineText(finding.podDeadline)}`;
      return `${limitText(finding.limit)}${podDeadline}.`;
    }
    case "pods":
      return `${podDeadlineText(finding.podDeadline)} (${listPods(finding)}).`;
  }
}

function limitText(limit: JobLimit): string {
  switch (limit.limit) {
    case "activeDeadlineSeconds":
      return deadlineText(limit);
    case "backoffLimitByPods":
      return (
        `The back-off limit ended the Job, by Pods: ${count(limit.failedPods, "Pod")} failed, ` +
        `${backOffText(limit)}${takenText(limit.takenPods)}`
      );
    case "backoffLimitByRestarts":
      return (
        `The back-off limit ended the Job, by restarts in place: ` +
        `${count(limit.restarts, "restart")}, ${backOffText(limit)}; ` +
        "restarts do not show in status.failed, and the Pod was removed with its logs"
      );
    case "podFailurePolicy":
      return policyText(limit);
    case "maxFailedIndexes":
      return (
        `maxFailedIndexes (${limit.maxFailedIndexes}) ended the Job: ` +
        `${indexesText(limit.failedIndexes, limit.failedCount)} had failed for good${byRuleText(limit)}` +
        takenText(limit.takenPods)
      );
    case "backoffLimitPerIndex":
      return perIndexText(limit);
    case "other":
      return otherText(limit);
  }
}

function policyText(limit: Extract<JobLimit, { limit: "podFailurePolicy" }>): string {
  const { message, rule, backoffLimit, takenPods } = limit;
  const matched = rule === undefined ? "a FailJob rule matched" : `its FailJob rule at index ${rule} matched`;
  return (
    `The pod failure policy ended the Job: ${message ?? matched}; backoffLimit (${backoffLimit}) did not apply` +
    takenText(takenPods)
  );
}

function perIndexText(limit: Extract<JobLimit, { limit: "backoffLimitPerIndex" }>): string {
  const { failedIndexes, failedCount, backoffLimitPerIndex, byRule, takenPods } = limit;
  const which = indexesText(failedIndexes, failedCount);
  const how =
    byRule.length === 0
      ? `${which} failed more often than backoffLimitPerIndex (${backoffLimitPerIndex}) allows`
      : `${which} failed for good${byRuleText(limit)}; backoffLimitPerIndex is ${backoffLimitPerIndex}`;
  return `The limit per index failed the Job: ${how}; the others are done${takenText(takenPods)}`;
}

function byRuleText({ byRule }: FailedIndexes): string {
  const texts = byRule.map(
    ({ rule, indexes, count: many }) =>
      `the FailIndex rule at index ${rule} of podFailurePolicy failed ${indexesText(indexes, many)}`,
  );
  return texts.length === 0 ? "" : `; ${list(texts)}`;
}

function otherText({ reason, message }: Extract<JobLimit, { limit: "other" }>): string {
  return `The Job failed (${reason ?? "no reason given"})${message === undefined ? "" : `: ${message}`}`;
}

function deadlineText(limit: Extract<JobLimit, { limit: "activeDeadlineSeconds" }>): string {
  const { seconds, ranMillis, failedPods, takenPods, backoffLimit } = limit;
  const ran = ranMillis === undefined ? "" : `, ${durationText(ranMillis)} after its start`;
  const value = seconds === undefined ? "" : ` (${seconds} s)`;
  return (
    `The Job's activeDeadlineSeconds${value} ended it${ran}; backoffLimit (${backoffLimit}) was not reached: ` +
    `${failedPods === 0 ? "no Pod" : count(failedPods, "Pod")} had failed before` +
    takenText(takenPods, failedPods > 0 ? "more Pod" : "Pod")
  );
}

/** Pods that were deleted because the Job had ended: Kubernetes counts them as failed, too. */
function takenText(pods: number, noun = "more Pod"): string {
  if (pods === 0) return "";
  const were = pods === 1 ? "was" : "were";
  return `; ${count(pods, noun)} ${were} deleted with the Job's end, counted as failed too`;
}

function backOffText({
  backoffLimit,
  deadline,
}: Extract<JobLimit, { limit: "backoffLimitByPods" | "backoffLimitByRestarts" }>): string {
  if (deadline === undefined) return `backoffLimit (${backoffLimit})`;
  const stood = durationText(deadline.ranMillis);
  return (
    `backoffLimit (${backoffLimit}); the Job's activeDeadlineSeconds (${deadline.seconds} s) had not ` +
    `run out, it stood at ${stood}`
  );
}

function podDeadlineText({ pods, seconds, jobSeconds }: PodDeadline): string {
  const value = seconds === undefined ? "" : ` (${seconds} s)`;
  const jobs = jobSeconds === undefined ? "which is not the Job's: that has none" : `not the Job's (${jobSeconds} s)`;
  return `${count(pods, "Pod")} ran into the Pod's own activeDeadlineSeconds${value}, ${jobs}`;
}

function describeShown(shows: LimitReachedShows): string {
  switch (shows.what) {
    case "podEnded":
      return describePodEnd(shows);
    case "jobCondition":
      return `was reported ${shows.type} (${shows.reason ?? "no reason"})`;
  }
}

/** The limit that ended a Job, for its headline. The finding has the counts. */
function limitClause(finding: LimitReached): readonly Clause[] {
  switch (finding.ended) {
    case "job":
      return [{ full: limitInBrief(finding.limit), ...briefLimit(finding.limit) }];
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

function limitInBrief(limit: JobLimit): string {
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
      return `maxFailedIndexes (${limit.maxFailedIndexes}) exceeded${rulesInBrief(limit)}`;
    case "backoffLimitPerIndex":
      return indexInBrief(limit);
    case "other":
      return `Kubernetes gives reason ${limit.reason ?? "none"}`;
  }
}

type IndexLimit = Extract<JobLimit, { limit: "backoffLimitPerIndex" }>;

/** A FailIndex rule fails an index at once, whatever its limit. */
function indexInBrief(limit: IndexLimit): string {
  const { failedIndexes, failedCount, byRule, backoffLimitPerIndex } = limit;
  const which = indexesText(failedIndexes, failedCount);
  const ruled = byRule.reduce((sum, rule) => sum + rule.count, 0);
  if (ruled === 0) return `${which} exceeded backoffLimitPerIndex (${backoffLimitPerIndex})`;
  if (ruled >= failedCount) return `${which} failed${rulesInBrief(limit)}`;
  return `${which} failed${rulesInBrief(limit)}, or exceeded backoffLimitPerIndex (${backoffLimitPerIndex})`;
}

function rulesInBrief({ byRule }: FailedIndexes): string {
  const rules = byRule.map(({ rule }) => String(rule));
  return rules.length === 0 ? "" : ` by FailIndex rule at index ${list(rules)} of podFailurePolicy`;
}

/** The longest list of indexes that a clause repeats. */
const MAX_INDEXES = 30;

/** "index 5", "indexes 1,3-5", "200 indexes"; "some indexes" if Kubernetes does not list them. */
function indexesText(indexes: string, indexCount: number): string {
  if (indexCount === 0) return "some indexes";
  if (indexCount === 1) return `index ${indexes}`;
  return indexes.length > MAX_INDEXES ? count(indexCount, "index") : `indexes ${indexes}`;
}
