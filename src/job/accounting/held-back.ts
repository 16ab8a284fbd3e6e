import type { JobReported } from "../model/fact.ts";
import { addBags, bagOf, indexesOf } from "./index-bag.ts";
import { cutIndexes, type IndexSet, NO_INDEXES, unionIndexes, withoutIndexes } from "./index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { isListed, listsOf } from "./own-totals.ts";
import type { PodTally } from "./pod-tally.ts";

/**
 * The indexes of which one failed Pod is held back from `status.failed`, because the replacement that carries the next
 * failure count is not made (job-semantics 7.3): its finalizer is on, and its index has neither succeeded nor failed
 * nor an active Pod. {@link heldBackPods} says which Pod of the index that is; here it is enough that it is one. A
 * verdict releases all, and so does the Job's deletion; a Pod that is listed was not held back.
 */
export function heldBackIndexes(
  { backoffLimitPerIndex, completions = 0 }: JobSpec,
  reported: JobReported | undefined,
  { failedWithFinalizer, activeIndexes, recent }: PodTally,
  { completedIndexes, failedIndexes }: { readonly completedIndexes: IndexSet; readonly failedIndexes: IndexSet },
): IndexSet {
  if (backoffLimitPerIndex === undefined || failedWithFinalizer.length === 0) return NO_INDEXES;
  const lists = listsOf(reported);
  const listed = recent.filter(
    (pod) => pod.ledger === "failed" && pod.finalizerOffAt === undefined && isListed(lists, pod),
  );
  const taken = bagOf(listed.flatMap(({ index }) => (index === undefined ? [] : [index])));
  const waiting = cutIndexes(indexesOf(addBags(failedWithFinalizer, taken, -1)), completions);
  const settled = unionIndexes(unionIndexes(completedIndexes, failedIndexes), indexesOf(activeIndexes));
  return withoutIndexes(waiting, settled);
}
