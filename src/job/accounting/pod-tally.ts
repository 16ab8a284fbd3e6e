import type { Ledger } from "./ledger.ts";
import type { Outcome } from "../model/outcome.ts";
import type { PodUid } from "../model/ids.ts";
import { EMPTY_BAG, type IndexBag } from "./index-bag.ts";
import type { Instant } from "../model/instant.ts";
import type { Order } from "../model/order.ts";

/**
 * The sums over a Job's Pods from which status and verdict are derived, as plain JSON. They do not depend on the order
 * of the Pods. When more is known of a Pod, `subtractTally` removes it and `addTally` adds it again.
 *
 * Counts and index bags are exact at any size, after any number of subtractions. Lists are bounded: each contains its
 * first members by its own order. After removing a member from a full list, the caller must tally all Pods again, as
 * src/projection/job-state/tally-change.ts does. A truncated list can make a count smaller, never larger than the
 * truth.
 */
export interface PodTally {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Pods in each ledger by their own facts; `open`: not decided yet. */
  readonly ledgers: Readonly<Record<Ledger | "open", number>>;
  /** Ended Pods that were accounted for at first observation: they are in the Job's own counters. */
  readonly before: { readonly succeeded: number; readonly failed: number };
  /** Only for an untracked Job: failed Pods that its controller can still count, because they exist. */
  readonly failedExisting: number;
  /** Pods that count as failed if the Job fails. */
  readonly uponFailure: number;
  readonly active: number;
  readonly terminating: number;
  readonly ready: number;
  /** Restarts of live Pods' containers. */
  readonly restarts: number;
  /** Pods that were observed with the tracking finalizer. */
  readonly tracked: number;
  /**
   * Pods of which an observation was missed: their creation (`isFirstSeenLate`), or their end with the finalizer on.
   */
  readonly late: number;
  /**
   * Counted Pods that may count as the other class: both phases were observed, or a success after a deletion request.
   */
  readonly ambiguous: number;
  /** Pods that were observed in both terminal phases, by the first of them. */
  readonly flipped: { readonly succeeded: number; readonly failed: number };
  /** The indexes of Pods in `succeeded`, and of those in `before`, for comparison with the reported indexes. */
  readonly completed: IndexBag;
  readonly completedBefore: IndexBag;
  /** Indexes that failed finally, by Pods that ended. */
  readonly failedIndexes: IndexBag;
  /** Only with a limit per index: indexes of active Pods, and of failed Pods that still have their finalizer. */
  readonly activeIndexes: IndexBag;
  readonly failedWithFinalizer: IndexBag;
  /** Matches of FailJob rules, the lowest by order. */
  readonly failJob: readonly FailJobSeen[];
  /** Counted Pods without their finalizer, which the Job's own counters must include; and the indexes of successes. */
  readonly finalizerOff: { readonly succeeded: number; readonly failed: number };
  readonly completedFinalizerOff: IndexBag;
  /** Only for an untracked Job: successes after a deletion request, and their indexes. */
  readonly succeededAfterDeletion: number;
  readonly completedAfterDeletion: IndexBag;
  /**
   * The latest Pods that were counted or lost their finalizer. The lists of a report may name them, and a report may be
   * too old to include them.
   */
  readonly recent: readonly CountedPod[];
  /** The latest Pods in `uponFailure`. The latest report may be too old to include them. */
  readonly recentUponFailure: readonly PodUponFailure[];
  /** When Pods succeeded, the earliest. */
  readonly successes: readonly Instant[];
  /** Only with a success policy: the order of successes by index, the lowest. */
  readonly indexSuccesses: readonly IndexSuccess[];
  /**
   * Only with a success policy or a limit per index: Pods that count because they were deleted before they ended, the
   * lowest by order.
   */
  readonly deletions: readonly CountedPod[];
}

export interface FailJobSeen extends Order {
  readonly message: string;
}
export interface CountedPod extends Order {
  readonly uid: PodUid;
  readonly ledger: "succeeded" | "failed";
  readonly tracked: boolean;
  readonly index?: number;
  /** It counts because it was deleted before it ended. With `indexFailed`, its index failed because of that. */
  readonly deletion?: true;
  readonly indexFailed?: true;
  /** The first observation without its finalizer ({@link Proof}). */
  readonly finalizerOffAt?: Order;
}
export interface PodUponFailure extends Order {
  readonly uid: PodUid;
}
export interface IndexSuccess extends Order {
  readonly index: number;
}

export const EMPTY_TALLY: PodTally = {
  outcomes: { Succeeded: 0, Failed: 0, Active: 0, Terminating: 0, Unknown: 0 },
  ledgers: { succeeded: 0, failed: 0, ignored: 0, void: 0, open: 0 },
  before: { succeeded: 0, failed: 0 },
  failedExisting: 0,
  uponFailure: 0,
  active: 0,
  terminating: 0,
  ready: 0,
  restarts: 0,
  tracked: 0,
  late: 0,
  ambiguous: 0,
  flipped: { succeeded: 0, failed: 0 },
  completed: EMPTY_BAG,
  completedBefore: EMPTY_BAG,
  failedIndexes: EMPTY_BAG,
  activeIndexes: EMPTY_BAG,
  failedWithFinalizer: EMPTY_BAG,
  failJob: [],
  finalizerOff: { succeeded: 0, failed: 0 },
  completedFinalizerOff: EMPTY_BAG,
  succeededAfterDeletion: 0,
  completedAfterDeletion: EMPTY_BAG,
  recent: [],
  recentUponFailure: [],
  successes: [],
  indexSuccesses: [],
  deletions: [],
};
