import type { Ledger } from "./ledger.ts";
import type { Outcome } from "../model/outcome.ts";
import type { PodUid } from "../model/ids.ts";
import { EMPTY_BAG, type IndexBag } from "./index-bag.ts";
import type { Instant } from "../model/instant.ts";
import type { Order } from "../model/order.ts";

/**
 * What status and verdict need to know of a Job's Pods, summed: plain JSON. The sum over a set of Pods does not depend
 * on their order, and a Pod is taken out by `subtractTally` and put in again when more is known of it.
 *
 * Counts and index bags are exact at any size, after any number of subtractions. The lists are bounded; each holds its
 * first members by its own order as long as nothing was taken out of a full one. Whoever takes a member out of a full
 * list has to tally all Pods again, or else the place it leaves stays empty: src/projection/job-state/tally-change.ts
 * does. What is cut from a list can only make a count smaller, never larger than the truth.
 */
export interface PodTally {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Pods in each ledger by facts of their own; `open`: nothing is decided. */
  readonly ledgers: Readonly<Record<Ledger | "open", number>>;
  /** Ended Pods that were accounted for at first observation: they are in the Job's own counters. */
  readonly before: { readonly succeeded: number; readonly failed: number };
  /**
   * Only of a Job without finalizers: failed Pods that its controller can still count, as they exist and nobody asked
   * for them to go.
   */
  readonly failedExisting: number;
  /** Pods that count as failed should the Job fail. */
  readonly uponFailure: number;
  readonly active: number;
  readonly terminating: number;
  readonly ready: number;
  /** Restarts of live Pods' containers. */
  readonly restarts: number;
  /** Pods seen with the tracking finalizer. */
  readonly tracked: number;
  /**
   * Pods of which a observation was missed: their beginning (`isFirstSeenLate`), or their end with the finalizer on.
   */
  readonly late: number;
  /**
   * Counted Pods that may count as the other class: they ended both ways, or well after somebody had asked for them to
   * go.
   */
  readonly ambiguous: number;
  /** Pods seen in both terminal phases, by the first of them. */
  readonly flipped: { readonly succeeded: number; readonly failed: number };
  /** Indexes of Pods in `succeeded`; and of those in `before`, for comparing. */
  readonly completed: IndexBag;
  readonly completedBefore: IndexBag;
  /** Indexes that failed for good, by Pods that ended. */
  readonly failedIndexes: IndexBag;
  /**
   * Only with a limit per index: indexes of active Pods, and of Pods that failed and were never seen without their
   * finalizer.
   */
  readonly activeIndexes: IndexBag;
  readonly failedWithFinalizer: IndexBag;
  /** Matches of FailJob rules, the lowest by order. */
  readonly failJob: readonly FailJobSeen[];
  /**
   * Counted Pods whose finalizer was seen off, which the Job's own counters must have; and the indexes of the successes
   * among them.
   */
  readonly finalizerOff: { readonly succeeded: number; readonly failed: number };
  readonly completedFinalizerOff: IndexBag;
  /**
   * Only of a Job without finalizers: successes of Pods that had been asked to go before they ended, and their indexes.
   */
  readonly succeededAfterDeletion: number;
  readonly completedAfterDeletion: IndexBag;
  /**
   * The Pods that were counted or lost their finalizer last: those that uncounted lists may name, and that the latest
   * report may not cover.
   */
  readonly recent: readonly CountedPod[];
  /** The latest of `uponFailure`: those that the latest report may not cover. */
  readonly recentUponFailure: readonly PodUponFailure[];
  /** When Pods succeeded, the earliest. */
  readonly successes: readonly Instant[];
  /** Only with a success policy: the order of successes by index, the lowest. */
  readonly indexSuccesses: readonly IndexSuccess[];
  /**
   * Only where it matters why a Pod was deleted: Pods that count because they were deleted before they ended, the
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
  /** It counts because it was deleted before it had ended; and, with `indexFailed`, its index failed by that. */
  readonly deletion?: true;
  readonly indexFailed?: true;
  /** Where its finalizer was first seen off ({@link Proof}). */
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
