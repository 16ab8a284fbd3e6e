import type { CountingRules } from "./counting-rules.ts";
import { addBags } from "./index-bag.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { PodTally } from "./pod-tally.ts";
import { RunningTally } from "./running-tally.ts";
import { joinLists, takeLists } from "./tally-lists.ts";

/** The tally of Pods of one Job, in any order. Each Pod must occur once. */
export function tallyPods(pods: Iterable<PodRecord>, rules: CountingRules): PodTally {
  const sum = new RunningTally();
  for (const pod of pods) sum.add(pod, rules);
  return sum.tally();
}

/** The tally of the Pods of both. No Pod may be in both. */
export function addTally(a: PodTally, b: PodTally): PodTally {
  return combine(a, b, 1);
}

/** The tally of the Pods of `a` without those of `b`. Each Pod of `b` must be in `a` with the same state. */
export function subtractTally(a: PodTally, b: PodTally): PodTally {
  return combine(a, b, -1);
}

type Counts<Key extends string> = Readonly<Record<Key, number>>;

function combine(a: PodTally, b: PodTally, sign: 1 | -1): PodTally {
  const lists = sign === 1 ? joinLists(a, b) : takeLists(a, b);
  return {
    outcomes: addCounts(a.outcomes, b.outcomes, sign),
    ledgers: addCounts(a.ledgers, b.ledgers, sign),
    before: addCounts(a.before, b.before, sign),
    failedExisting: a.failedExisting + sign * b.failedExisting,
    uponFailure: a.uponFailure + sign * b.uponFailure,
    active: a.active + sign * b.active,
    terminating: a.terminating + sign * b.terminating,
    ready: a.ready + sign * b.ready,
    restarts: a.restarts + sign * b.restarts,
    tracked: a.tracked + sign * b.tracked,
    late: a.late + sign * b.late,
    ambiguous: a.ambiguous + sign * b.ambiguous,
    flipped: addCounts(a.flipped, b.flipped, sign),
    completed: addBags(a.completed, b.completed, sign),
    completedBefore: addBags(a.completedBefore, b.completedBefore, sign),
    failedIndexes: addBags(a.failedIndexes, b.failedIndexes, sign),
    activeIndexes: addBags(a.activeIndexes, b.activeIndexes, sign),
    failedWithFinalizer: addBags(a.failedWithFinalizer, b.failedWithFinalizer, sign),
    finalizerOff: addCounts(a.finalizerOff, b.finalizerOff, sign),
    completedFinalizerOff: addBags(a.completedFinalizerOff, b.completedFinalizerOff, sign),
    succeededAfterDeletion: a.succeededAfterDeletion + sign * b.succeededAfterDeletion,
    completedAfterDeletion: addBags(a.completedAfterDeletion, b.completedAfterDeletion, sign),
    ...lists,
  };
}

function addCounts<Key extends string>(a: Counts<Key>, b: Counts<Key>, sign: 1 | -1): Counts<Key> {
  const sum: Record<Key, number> = { ...a };
  for (const key of keysOf(b)) sum[key] += sign * b[key];
  return sum;
}

/** The type of `Object.keys` is `string[]`, because an object can have more keys than its type. */
function keysOf<Key extends string>(counts: Counts<Key>): readonly Key[] {
  return Object.keys(counts) as Key[];
}
