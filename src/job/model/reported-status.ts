import type { PodUid } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { PolicyDetails } from "./message-details.ts";

/** One entry of `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  /** By default only a message that the Job controller writes word for word (docs/facts.md). */
  readonly message?: string;
  /** The rule of the pod failure policy that the message names. */
  readonly details?: PolicyDetails;
  readonly lastTransitionAt?: Instant;
}

/** `status.uncountedTerminatedPods`: Pods whose end is noted and not yet in a counter (KEP-2307). */
export interface UncountedPods {
  readonly succeeded: readonly PodUid[];
  readonly failed: readonly PodUid[];
  /** How many uids were listed and are not in the lists above, because those are bounded. */
  readonly succeededBeyond?: number;
  readonly failedBeyond?: number;
}

/** A Job's status as Kubernetes last wrote it. What is absent there is absent here. */
export interface ReportedStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** The index set's text (job-semantics 4.1). Absent also where it was longer than its bound; then `truncated` is set. */
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly startTime?: Instant;
  readonly completionTime?: Instant;
  readonly conditions: readonly Condition[];
  /** Present, if only empty, on every tracked Job from its first sync on. */
  readonly uncounted?: UncountedPods;
  readonly truncated?: true;
}
