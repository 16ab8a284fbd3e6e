import { actorOf } from "../job/attribution/deletion-request.ts";
import type { Attribution, DeletionCause, DeletionShows, HistoryLimit } from "../job/attribution/attribution.ts";
import { durationText } from "../text/duration-text.ts";
import type * as document from "./answer-document.ts";
import { readinessText } from "./node-text.ts";
import { presentEvidence } from "./present-evidence.ts";

/** An attribution as the answer document has it. */
export function presentAttribution({ actor, cause, confidence, evidence }: Attribution): document.Attribution {
  return {
    actor,
    cause: describeDeletionCause(cause),
    confidence,
    evidence: evidence.map((one) => presentEvidence(one, describeDeletionEvidence)),
  };
}

/** Why an object was deleted, as a clause: "its owner was deleted". */
export function describeDeletionCause(cause: DeletionCause): string {
  switch (cause.cause) {
    case "ttlExpired": {
      const after = durationText(cause.afterMillis);
      return `ttlSecondsAfterFinished: ${cause.ttlSeconds} ran out; it was deleted ${after} after it had finished`;
    }
    case "historyLimit":
      return `it was beyond ${limitText(cause.limit)} of CronJob ${cause.cronJob}`;
    case "replacedByCronJob":
      return `CronJob ${cause.cronJob} replaced it by its next run (concurrencyPolicy: Replace)`;
    case "cronJobNotObserved":
      return `CronJob ${cause.cronJob} replaced it, or was deleted itself, or somebody deleted the Job`;
    case "cronJobDeleted":
      return `its CronJob ${cause.cronJob} was deleted, and its Jobs with it`;
    case "cronJobDeletedInForeground":
      return `its CronJob ${cause.cronJob} was being deleted in the foreground, or somebody deleted the Job so`;
    case "ownerDeletedJob":
      return `its owner, ${cause.owner.kind} ${cause.owner.name}, was deleted or deleted it`;
    case "jobFailed":
      return `the Job had failed${reasonText(cause.reason)}`;
    case "jobComplete":
      return `the Job was complete${reasonText(cause.reason)}`;
    case "nodeUnready":
      return `its node was ${readinessText(cause.readiness)} for longer than it tolerates`;
    case "request":
      return requestText(cause);
    case "nodeGoneOrOutOfService":
    case "nodeGone":
    case "taint":
    case "evicted":
    case "preempted":
    case "jobDeleted":
    case "jobBeingDeleted":
    case "jobSuspended":
    case "suspendedOrScaledDown":
    case "notNeeded":
    case "tooManyTerminatedPods":
    case "unknown":
      return CAUSES[cause.cause];
  }
}

const CAUSES = {
  nodeGoneOrOutOfService: "its node is gone or out of service",
  nodeGone: "its node is gone",
  taint: "it did not tolerate a NoExecute taint of its node",
  evicted: "it was evicted through the eviction API, as a drain or an autoscaler does",
  preempted: "it was preempted for a Pod of higher priority",
  jobDeleted: "its Job was deleted",
  jobBeingDeleted: "its Job was being deleted, and its Pods with it",
  jobSuspended: "the Job was suspended: the Pod was released, not counted",
  suspendedOrScaledDown: "the Job was suspended or scaled down: the Pod was released, not counted",
  notNeeded:
    "it was no longer wanted (scaled down, a surplus Pod, or a second Pod of its index): it was released, not counted",
  tooManyTerminatedPods: "there were more terminated Pods in the cluster than --terminated-pod-gc-threshold allows",
  unknown: "no observation shows who requested it; an audit log would",
} as const;

/** Why each controller deletes objects, if only its request is known. */
const REASONS = {
  Job: new Map([
    ["ttl-after-finished-controller", "ttlSecondsAfterFinished ran out"],
    ["cronjob-controller", "its CronJob replaced it or keeps no more of its history"],
    ["generic-garbage-collector", "its owner was deleted"],
  ]),
  Pod: new Map([
    ["pod-garbage-collector", "Pod garbage collection: too many terminated Pods, or a lost node"],
    ["job-controller", "the Job controller did not want it any more"],
    ["generic-garbage-collector", "its owner was deleted"],
    ["node-controller", "it did not tolerate a NoExecute taint of its node"],
    ["taint-eviction-controller", "it did not tolerate a NoExecute taint of its node"],
    ["kube-scheduler", "it was preempted for a Pod of higher priority"],
  ]),
} as const satisfies Record<"Job" | "Pod", ReadonlyMap<string, string>>;

function requestText({ object, user, evicted }: Extract<DeletionCause, { cause: "request" }>): string {
  return REASONS[object].get(actorOf(user)) ?? (evicted ? `${user} evicted it` : `${user} deleted it`);
}

function describeDeletionEvidence(shows: DeletionShows): string {
  switch (shows.what) {
    case "jobGone":
    case "cronJobGone":
    case "nodeGone":
      return "was gone";
    case "jobDeletionRequested":
      return "was asked to go";
    case "jobCondition":
      return `had condition ${shows.type}${reasonText(shows.reason)}`;
    case "jobFinished":
      return `was reported ${shows.type}${reasonText(shows.reason)}`;
    case "cronJobReplaces":
      return "had concurrencyPolicy Replace";
    case "cronJobLimit":
      return `had ${limitText(shows.limit)}`;
    case "deletedByRequest":
      return `was ${shows.evicted ? "evicted" : "deleted"} by a request of ${shows.user}`;
    case "disruptionTarget":
      return `was marked as DisruptionTarget: ${shows.reason}`;
    case "taintManagerEvent":
      return "was marked for deletion by the taint manager";
    case "jobControllerEvent":
      return `sent Event SuccessfulDelete about ${shows.pod}`;
    case "finalizerOffBefore":
      return "had lost its tracking finalizer by then";
    case "nodeUnready":
      return `was ${readinessText(shows.readiness)}`;
    case "podDeletion":
      return podDeletionText(shows);
  }
}

function podDeletionText({ endedBefore }: Extract<DeletionShows, { what: "podDeletion" }>): string {
  if (endedBefore === undefined) return "was asked to go before it had ended";
  const word = endedBefore.phase === "Succeeded" ? "succeeded" : "failed";
  return `was asked to go ${durationText(endedBefore.millis)} after it had ${word}`;
}

function limitText(limit: HistoryLimit | undefined): string {
  return limit === undefined ? "the history limit" : `${limit.name} (${limit.value})`;
}

function reasonText(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${reason})`;
}
