import { actorOf } from "../job/attribution/deletion-request.ts";
import type { Attribution, DeletionCause, DeletionShows, HistoryLimit } from "../job/attribution/attribution.ts";
import { durationText } from "../job/text/duration-text.ts";
import type * as document from "./answer-document.ts";
import { onRequestOf } from "./attribution-text.ts";
import { lifecycleText, readinessText } from "./node-text.ts";
import { presentAll } from "./present-evidence.ts";

/** An attribution as the answer document has it. */
export function presentAttribution({ actor, cause, confidence, evidence }: Attribution): document.Attribution {
  return {
    actor,
    cause: describeDeletionCause(cause),
    confidence,
    evidence: presentAll(evidence, describeDeletionEvidence),
  };
}

/** Why an object was deleted, as a clause: "its owner was deleted". */
export function describeDeletionCause<Kind extends CauseKind>(cause: CauseOf<Kind>): string {
  return CAUSES[cause.cause](cause);
}

type CauseKind = DeletionCause["cause"];
type CauseOf<Kind extends CauseKind> = { [K in Kind]: Extract<DeletionCause, { readonly cause: K }> }[Kind];
type CauseTexts = { readonly [Kind in CauseKind]: (cause: CauseOf<Kind>) => string };

const CAUSES: CauseTexts = {
  ttlExpired: ({ ttlSeconds, afterMillis }) =>
    `ttlSecondsAfterFinished: ${ttlSeconds} ran out; it was deleted ${durationText(afterMillis)} after it had finished`,
  historyLimit: ({ limit, cronJob }) => `it was beyond ${limitText(limit)} of CronJob ${cronJob}`,
  replacedByCronJob: ({ cronJob }) => `CronJob ${cronJob} replaced it by its next run (concurrencyPolicy: Replace)`,
  cronJobNotObserved: ({ cronJob }) =>
    `CronJob ${cronJob} replaced it or was deleted, or a person or a program deleted the Job`,
  cronJobDeleted: ({ cronJob }) => `its CronJob ${cronJob} was deleted, and its Jobs with it`,
  cronJobDeletedInForeground: ({ cronJob }) =>
    `its CronJob ${cronJob} was being deleted in the foreground, or a person or a program deleted the Job in this way`,
  ownerDeletedJob: ({ owner }) => `its owner, ${owner.kind} ${owner.name}, was deleted or deleted it`,
  jobFailed: ({ reason }) => `the Job had failed${reasonText(reason)}`,
  jobComplete: ({ reason }) => `the Job was complete${reasonText(reason)}`,
  nodeUnready: ({ readiness }) => `its node was ${readinessText(readiness)} for longer than it tolerates`,
  request: requestText,
  nodeGoneOrOutOfService: () => "its node was deleted or is out of service",
  nodeGone: () => "its node was deleted",
  deviceTaint: () => "it did not tolerate a NoExecute taint of a device that it used",
  taint: () => "it did not tolerate a NoExecute taint of its node",
  evicted: () => "it was evicted through the eviction API, as a drain or an autoscaler does",
  evictionRequested: ({ requesters }) => `it was evicted ${onRequestOf(requesters)}`,
  nodeLifecycle: ({ type, evicted }) => `it was ${evicted ? "evicted" : "deleted"} ${lifecycleText(type)}`,
  preempted: () => "it was preempted for a Pod of higher priority",
  jobDeleted: () => "its Job was deleted",
  jobBeingDeleted: () => "its Job was being deleted, and its Pods with it",
  jobSuspended: () => "the Job was suspended: the Pod was released, not counted",
  suspendedOrScaledDown: () => "the Job was suspended or scaled down: the Pod was released, not counted",
  notNeeded: () =>
    "it was no longer needed (scaled down, a surplus Pod, or a second Pod of its index): it was released, not counted",
  tooManyTerminatedPods: () =>
    "there were more terminated Pods in the cluster than --terminated-pod-gc-threshold allows",
  unknown: () => "no observation shows who requested it; an audit log would",
};

/** The usual reason for each controller's deletions. Used if only the request is known. */
const REASONS = {
  Job: new Map([
    ["ttl-after-finished-controller", "ttlSecondsAfterFinished ran out"],
    ["cronjob-controller", "its CronJob replaced it or keeps no more of its history"],
    ["generic-garbage-collector", "its owner was deleted"],
  ]),
  Pod: new Map([
    ["pod-garbage-collector", "Pod garbage collection: too many terminated Pods, or a lost node"],
    ["job-controller", "the Job controller no longer needed it"],
    ["generic-garbage-collector", "its owner was deleted"],
    ["node-controller", "it did not tolerate a NoExecute taint of its node"],
    ["device-taint-eviction-controller", "it did not tolerate a NoExecute taint of a device that it used"],
    ["taint-eviction-controller", "it did not tolerate a NoExecute taint of its node"],
    ["kube-scheduler", "it was preempted for a Pod of higher priority"],
  ]),
  Run: new Map([["generic-garbage-collector", "its owner was deleted"]]),
} as const satisfies Record<"Job" | "Pod" | "Run", ReadonlyMap<string, string>>;

function requestText({ object, user, evicted }: Extract<DeletionCause, { cause: "request" }>): string {
  return REASONS[object].get(actorOf(user)) ?? (evicted ? `${user} evicted it` : `${user} deleted it`);
}

function describeDeletionEvidence<What extends ShownKind>(shows: ShownOf<What>): string {
  return EVIDENCE[shows.what](shows);
}

type ShownKind = DeletionShows["what"];
type ShownOf<What extends ShownKind> = { [W in What]: Extract<DeletionShows, { readonly what: W }> }[What];
type EvidenceTexts = { readonly [What in ShownKind]: (shows: ShownOf<What>) => string };

const EVIDENCE: EvidenceTexts = {
  jobGone: () => "was deleted",
  cronJobGone: () => "was deleted",
  nodeGone: () => "was deleted",
  jobDeletionRequested: () => "was marked for deletion",
  podGcSweeps: ({ sweeps }) =>
    `was deleted among ended Pods of many Jobs, in one of ${sweeps} or more sweeps 20 s apart, as Pod GC makes them`,
  jobCondition: ({ type, reason }) => `had condition ${type}${reasonText(reason)}`,
  jobFinished: ({ type, reason }) => `was reported ${type}${reasonText(reason)}`,
  cronJobReplaces: () => "had concurrencyPolicy Replace",
  cronJobLimit: ({ limit }) => `had ${limitText(limit)}`,
  deletedByRequest: ({ evicted, user }) => `was ${evicted ? "evicted" : "deleted"} by a request of ${user}`,
  evictionRequested: ({ requesters }) => `was to be evicted ${onRequestOf(requesters)}`,
  nodeLifecycle: ({ type }) => `had condition ${type}`,
  disruptionTarget: ({ reason }) => `was marked as DisruptionTarget: ${reason}`,
  taintManagerEvent: () => "was marked for deletion by the taint manager",
  jobControllerEvent: ({ pod }) => `sent Event SuccessfulDelete about ${pod}`,
  finalizerOffBefore: () => "had lost its tracking finalizer by then",
  nodeUnready: ({ readiness }) => `was ${readinessText(readiness)}`,
  podDeletion: podDeletionText,
};

function podDeletionText({ endedBefore }: Extract<DeletionShows, { what: "podDeletion" }>): string {
  if (endedBefore === undefined) return "was marked for deletion before it had ended";
  const word = endedBefore.phase === "Succeeded" ? "succeeded" : "failed";
  return `was marked for deletion ${durationText(endedBefore.millis)} after it had ${word}`;
}

function limitText(limit: HistoryLimit | undefined): string {
  return limit === undefined ? "the history limit" : `${limit.name} (${limit.value})`;
}

function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${reason})`;
}
