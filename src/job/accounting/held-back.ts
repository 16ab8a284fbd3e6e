import type { JobReported } from "../model/fact.ts";
import { addBags, bagOf, indexesOf } from "./index-bag.ts";
import { cutIndexes, type IndexSet, NO_INDEXES, unionIndexes, withoutIndexes } from "./index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { isListed, listsOf } from "./own-totals.ts";
import type { PodTally } from "./pod-tally.ts";

export interface HeldBackInput {
  readonly spec: JobSpec;
  readonly reported: JobReported | undefined;
  readonly tally: PodTally;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
}

/**
 * The indexes that each have one failed Pod that upstream holds back from `status.failed` (job-semantics 7.3). The
 * replacement, which carries the next failure count, does not exist yet.
 *
 * Such a Pod has its finalizer and is not listed, and its index is neither completed, nor failed, nor active. A verdict
 * releases all held-back Pods, and so does the deletion of the Job.
 */
export function heldBackIndexes({
  spec: { backoffLimitPerIndex, completions = 0 },
  reported,
  tally: { failedWithFinalizer, activeIndexes, recent },
  completedIndexes,
  failedIndexes,
}: HeldBackInput): IndexSet {
  if (backoffLimitPerIndex === undefined || failedWithFinalizer.length === 0) return NO_INDEXES;
  const lists = listsOf(reported);
  const listed = recent.filter(
    (pod) => pod.ledger === "failed" && pod.finalizerOffAt === undefined && isListed(lists, pod),
  );
  const listedIndexes = bagOf(listed.flatMap(({ index }) => (index === undefined ? [] : [index])));
  const waiting = cutIndexes(indexesOf(addBags(failedWithFinalizer, listedIndexes, -1)), completions);
  const settled = unionIndexes(unionIndexes(completedIndexes, failedIndexes), indexesOf(activeIndexes));
  return withoutIndexes(waiting, settled);
}
