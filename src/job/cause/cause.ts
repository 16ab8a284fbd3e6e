import type { Category } from "../attribution/category.ts";
import type { PodCause, PodCauseName } from "./pod-cause.ts";
import type { Evidence, PodRef } from "../model/evidence.ts";
import type { UnhealthyDevice } from "../model/fact.ts";
import type { PodEnded } from "../evidence/pod-end-evidence.ts";
import type { Responsibility } from "./responsibility.ts";

/** One cause, and the attempts and runs that failed for it. */
export interface CauseShare {
  readonly why: PodCause;
  /** How many attempts failed for this cause. 0 means that containers were only restarted in place. */
  readonly attempts: number;
  /** Failed runs that had this cause in containers that were restarted in place and did not fail their Pod. */
  readonly restarts: number;
  /**
   * Containers that failed for this cause beside the one that decided how their Pod ended. Absent if there are none.
   */
  readonly beside?: number;
  /** How many attempts Kubernetes counts as failed; the others were ignored or replaced without being counted. */
  readonly counted: number;
  /** How many of the attempts a rule of the Job's podFailurePolicy ignores. */
  readonly ignored: number;
  /** The places of these rules in the policy, from 0, ascending. */
  readonly ignoredBy: readonly number[];
  /** How many programs ended with exit code 0 after the deletion of their Pods, which Kubernetes counts as failed. */
  readonly answered?: true;
}

/**
 * Why a Job failed, or what its success cost: the cause that decided, otherwise the one of most unsuccessful attempts.
 * Of equally frequent causes, the first one.
 */
export interface Cause extends CauseShare, Responsibility {
  /** Its Pods led to the Job's end: a FailJob rule matched one, or their indexes failed for good. */
  readonly decides: boolean;
  /**
   * How many attempts did not succeed, for any cause. Pods that were deleted because of the Job's end are not counted.
   */
  readonly unsuccessful: number;
  /** All causes, this one included, in the order in which each occurred first; at most {@link MAX_CAUSES}. */
  readonly shares: readonly CauseShare[];
  /** The first Pods concerned, by creation; at most 20. */
  readonly pods: readonly PodRef[];
  readonly podCount: number;
  readonly evidence: readonly Evidence<CauseShows>[];
}

/** The most different causes that are distinguished. */
export const MAX_CAUSES = 64;

export type CauseShows =
  | PodEnded
  | { readonly what: "waited"; readonly container: string; readonly reason: string }
  | { readonly what: "unscheduled"; readonly reason: string }
  | ({ readonly what: "unhealthy" } & UnhealthyDevice)
  | { readonly what: "event"; readonly reason: string; readonly times: number };

/** The category of attempts that a cause belongs to. */
export function categoryOfCause({ cause }: PodCause): Category {
  return CATEGORIES[cause];
}

const CATEGORIES = {
  outOfMemory: "oom",
  imageNotPulled: "image",
  containerNotStarted: "configuration",
  volumeNotMounted: "configuration",
  sandboxFailed: "configuration",
  refused: "configuration",
  notScheduled: "scheduling",
  preempted: "preemption",
  evicted: "eviction",
  refusedByNode: "eviction",
  probeFailed: "probe",
  nodeLost: "node-loss",
  outcomeLost: "unknown",
  podDeadline: "deadline",
  deleted: "deleted",
  exited: "application",
} as const satisfies Record<PodCauseName, Category>;
