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

/** `status.uncountedTerminatedPods`: Pods whose end is recorded, but not in a counter yet (KEP-2307). */
export interface UncountedPods {
  readonly succeeded: readonly PodUid[];
  readonly failed: readonly PodUid[];
  /** How many listed uids are not in the lists above, which are bounded. */
  readonly succeededBeyond?: number;
  readonly failedBeyond?: number;
}

/** A Job's status as Kubernetes last wrote it. An absent field is absent here too. */
export interface ReportedStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** The text of the index set (job-semantics 4.1). If it exceeded its bound, it is absent and `truncated` is set. */
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly startTime?: Instant;
  readonly completionTime?: Instant;
  readonly conditions: readonly Condition[];
  /** Present, possibly empty, on every tracked Job after its first sync. */
  readonly uncounted?: UncountedPods;
  readonly truncated?: true;
}
