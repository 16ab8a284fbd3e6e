import type { PodCause } from "./pod-cause.ts";
import type { Evidence, PodRef } from "../model/evidence.ts";
import type { Instant } from "../model/instant.ts";

export const WAITING_REASONS = [
  "Unschedulable",
  "QuotaExceeded",
  "ImagePull",
  "ContainerConfig",
  "Volume",
  "Queued",
  "Suspended",
  "Admission",
  "NodeNotReady",
  "BackOff",
  "Parallelism",
  "Controller",
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** Why a Job, or some of its Pods, are not running, and since when. It contains no text: `src/explain` describes it. */
export interface Waiting {
  readonly reason: WaitingReason;
  readonly why: WaitingCause;
  readonly since: Instant;
  /** The first Pods that wait, by creation; empty if the Job has none. */
  readonly pods: readonly PodRef[];
  readonly podCount: number;
  /** The number of Pods that run. */
  readonly running: number;
  readonly evidence: readonly Evidence<WaitingShows>[];
}

export type WaitingCause =
  | PodCause
  | { readonly cause: "suspended" }
  | { readonly cause: "queued"; readonly queue?: string; readonly by: string }
  | { readonly cause: "nodeNotReady"; readonly node: string }
  /** No scheduler has placed the Pod, or said why not. */
  | { readonly cause: "unhandled" }
  /** The same, for a Pod of a PodGroup: the scheduler waits for the group, or for enough of its Pods (KEP-4671). */
  | { readonly cause: "podGroupIncomplete"; readonly podGroup: string }
  /** `spec.parallelism` is 0. */
  | { readonly cause: "noParallelism" }
  /** `spec.managedBy`: the Job controller leaves the Job alone. */
  | { readonly cause: "otherController"; readonly managedBy: string }
  /** The Job controller has not started the Job. */
  | { readonly cause: "notStarted" }
  /** The Job controller delays the next Pod after failures. */
  | { readonly cause: "retryDelay"; readonly atMostSeconds: number }
  /** A container is started again after a delay; `last` is why it failed. */
  | { readonly cause: "backOff"; readonly container: string; readonly restarts: number; readonly last?: PodCause };

/** A cause that exists only for waiting Pods. All others can also explain a failed Job. */
export type OwnWaitingCause = Exclude<WaitingCause, PodCause>;

const OWN_CAUSES: Readonly<Record<OwnWaitingCause["cause"], true>> = {
  suspended: true,
  queued: true,
  nodeNotReady: true,
  unhandled: true,
  podGroupIncomplete: true,
  backOff: true,
  noParallelism: true,
  otherController: true,
  notStarted: true,
  retryDelay: true,
};

export function isOwnWaitingCause(why: WaitingCause): why is OwnWaitingCause {
  return why.cause in OWN_CAUSES;
}

export type WaitingShows =
  | { readonly what: "observed"; readonly phase: string; readonly reason?: string }
  | { readonly what: "event"; readonly reason: string; readonly times: number }
  | { readonly what: "suspended" }
  | { readonly what: "reported"; readonly active: number };
