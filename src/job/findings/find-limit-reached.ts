import { bagOf, indexesOf } from "../accounting/index-bag.ts";
import { countIndexes, formatIndexSet, parseIndexSet } from "../accounting/index-set.ts";
import { countedAs, ledgerOf, policyMatchOf } from "../accounting/ledger.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { type Evidence, jobEvidence } from "../model/evidence.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt, restartsOf } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Condition } from "../model/reported-status.ts";
import { exceedsBackOffLimit } from "../status/back-off-limit.ts";
import { endingsOf } from "../status/job-ending.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { impossibleEnds } from "./impossible-end.ts";
import { podEndEvidence, type PodEnded } from "./pod-end-evidence.ts";
import { PodSample } from "./pod-sample.ts";

export type LimitReached = FindingOf<
  "LimitReached",
  | { readonly ended: "job"; readonly limit: JobLimit; readonly podDeadline?: PodDeadline }
  /** Pods reached their own deadline, and no limit ended the Job. */
  | { readonly ended: "pods"; readonly podCount: number; readonly podDeadline: PodDeadline },
  LimitReachedShows
>;

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

export type LimitReachedShows =
  | PodEnded
  | { readonly what: "jobCondition"; readonly type: string; readonly reason?: string };

/**
 * Which limit ended the Job, and how far the Job had got towards each. Limits with similar names are easily mixed up.
 */
export const findLimitReached: Find<LimitReached> = (context) => {
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

/** No Pod failed, and the Job cannot have reached the limit that its condition names: that is a contradiction. */
function isForged({ failed, taken }: Seen, context: FindingContext): boolean {
  if (failed.count + taken > 0) return false;
  const ends = impossibleEnds({ ...context, isTracked: context.rules.tracking === "tracked" });
  return ends.some(({ contradiction }) => contradiction !== "completeBelow");
}

interface Seen {
  /** Pods that count towards the limit. */
  readonly failed: PodSample;
  readonly podDeadline: PodSample;
  /** The FailJob rule that a Pod matched. */
  failJobRule?: number;
  /** Indexes that a FailIndex rule failed, by the place of the rule. */
  readonly indexesByRule: Map<number, number[]>;
  /** Pods that were deleted because the Job had failed. Kubernetes counts them as failed, but they caused nothing. */
  taken: number;
  /** Restarts in place, of Pods that did not fail. */
  restarts: number;
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

function limitOf(ending: Condition, seen: Seen, context: FindingContext): JobLimit {
  const { reason, message } = ending;
  const messageOf = message === undefined ? {} : { message };
  switch (reason ?? "") {
    case "DeadlineExceeded":
      return deadlineOf(ending, seen, context);
    case "BackoffLimitExceeded":
      return backOffOf(ending, seen, context);
    case "PodFailurePolicy":
      return policyOf(ending, seen, context);
    case "MaxFailedIndexesExceeded":
    case "FailedIndexes":
      return indexLimitOf(ending, seen, context);
  }
  return { limit: "other", ...(reason !== undefined && { reason }), ...messageOf };
}

/** The condition names the rule. Without its details, the rules of the spec show which one matched. */
function policyOf({ details, message }: Condition, seen: Seen, { spec }: FindingContext): JobLimit {
  const rule = details?.rule ?? seen.failJobRule;
  return {
    limit: "podFailurePolicy",
    ...(rule !== undefined && { rule }),
    ...(message !== undefined && { message }),
    takenPods: seen.taken,
    backoffLimit: spec.backoffLimit,
  };
}

function indexLimitOf({ reason }: Condition, seen: Seen, { spec, status }: FindingContext): JobLimit {
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

function deadlineOf(ending: Condition, seen: Seen, context: FindingContext): JobLimit {
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
function backOffOf(ending: Condition, seen: Seen, context: FindingContext): JobLimit {
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
function ranUntil({ lastTransitionAt }: Condition, { job }: FindingContext): number | undefined {
  const startTime = job.reported?.status.startTime;
  return startTime === undefined || lastTransitionAt === undefined ? undefined : lastTransitionAt - startTime;
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
