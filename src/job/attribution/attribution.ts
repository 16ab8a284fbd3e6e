import type { Evidence } from "../model/evidence.ts";
import type { NodeLifecycleType, NodeObserved } from "../model/fact.ts";

/** Who deleted an object and why, and how certain that is. It contains no text: `src/explain` describes it. */
export interface Attribution {
  /** The last part of a user or service account: "pod-garbage-collector"; "unknown" if nothing shows it. */
  readonly actor: string;
  readonly cause: DeletionCause;
  readonly confidence: "certain" | "likely" | "possible";
  readonly evidence: readonly Evidence<DeletionShows>[];
}

/** Why an object was deleted. */
export type DeletionCause = JobDeletionCause | PodDeletionCause | RequestCause;

type JobDeletionCause =
  | { readonly cause: "ttlExpired"; readonly ttlSeconds: number; readonly afterMillis: number }
  | { readonly cause: "historyLimit"; readonly cronJob: string; readonly limit?: HistoryLimit }
  | { readonly cause: "replacedByCronJob"; readonly cronJob: string }
  /** The CronJob was not observed: it replaced the Job, or was deleted, or a user deleted the Job. */
  | { readonly cause: "cronJobNotObserved"; readonly cronJob: string }
  | { readonly cause: "cronJobDeleted"; readonly cronJob: string }
  /** The CronJob was being deleted in the foreground, or a user deleted the Job that way. */
  | { readonly cause: "cronJobDeletedInForeground"; readonly cronJob: string }
  | { readonly cause: "ownerDeletedJob"; readonly owner: { readonly kind: string; readonly name: string } };
export interface HistoryLimit {
  readonly name: "successfulJobsHistoryLimit" | "failedJobsHistoryLimit";
  readonly value: number;
}

/** One member for each tag, so that a table of functions can be keyed by it. */
type Tagged<Key extends string, Tag extends string, Fields = unknown> = {
  [Each in Tag]: { readonly [K in Key]: Each } & Fields;
}[Tag];

type PodDeletionCause =
  | Tagged<"cause", "nodeGoneOrOutOfService" | "nodeGone" | "taint" | "deviceTaint" | "evicted" | "preempted">
  | Tagged<"cause", "jobDeleted" | "jobBeingDeleted" | "jobSuspended" | "suspendedOrScaledDown" | "notNeeded">
  | Tagged<"cause", "jobFailed" | "jobComplete", { readonly reason?: string }>
  | { readonly cause: "nodeUnready"; readonly readiness: Pick<NodeObserved, "ready" | "reason"> }
  /** These requesters had requested the eviction and had not withdrawn (KEP-4563). */
  | { readonly cause: "evictionRequested"; readonly requesters: readonly string[] }
  /** Its node was being drained, maintained or shut down (KEP-5683). `evicted`: through the eviction API. */
  | { readonly cause: "nodeLifecycle"; readonly type: NodeLifecycleType; readonly evicted: boolean }
  /** Known from the audit log, or from sweeps over many Pods: one deleted Pod does not show that it was Pod GC. */
  | { readonly cause: "tooManyTerminatedPods" };

/** Causes known only from the request, or not at all. */
type RequestCause =
  | {
      readonly cause: "request";
      readonly object: "Job" | "Pod" | "Run";
      readonly user: string;
      readonly evicted: boolean;
    }
  /** No controller's reason fits, and no audit event names the sender. */
  | { readonly cause: "unknown" };

/** What a piece of evidence shows about a deletion. */
export type DeletionShows =
  | Tagged<"what", "jobGone" | "jobDeletionRequested">
  | { readonly what: "jobCondition"; readonly type: string; readonly reason?: string }
  | { readonly what: "jobFinished"; readonly type: string; readonly reason?: string }
  | Tagged<"what", "cronJobGone" | "cronJobReplaces">
  | { readonly what: "cronJobLimit"; readonly limit?: HistoryLimit }
  | { readonly what: "deletedByRequest"; readonly user: string; readonly evicted: boolean }
  | { readonly what: "evictionRequested"; readonly requesters: readonly string[] }
  | { readonly what: "nodeLifecycle"; readonly type: NodeLifecycleType }
  | { readonly what: "disruptionTarget"; readonly reason: string }
  | { readonly what: "taintManagerEvent" }
  | { readonly what: "jobControllerEvent"; readonly pod: string }
  | { readonly what: "finalizerOffBefore" }
  | { readonly what: "nodeGone" }
  | { readonly what: "podGcSweeps"; readonly sweeps: number }
  | { readonly what: "nodeUnready"; readonly readiness: Pick<NodeObserved, "ready" | "reason"> }
  /** The Pod's deletion. `endedBefore` is absent if the Pod had not ended. */
  | {
      readonly what: "podDeletion";
      readonly endedBefore?: { readonly phase: "Succeeded" | "Failed"; readonly millis: number };
    };
