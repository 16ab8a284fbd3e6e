import { compareText } from "../model/compare-text.ts";
import { compareOrder, type Order } from "../model/order.ts";
import type { CountedPod, PodTally } from "./pod-tally.ts";

/** One sync of the controller lists at most 500 Pods. */
export const MAX_RECENT = 512;
export const MAX_FAIL_JOB = 16;
export const MAX_SUCCESSES = 256;
export const MAX_ORDERED = 1024;

/** The lists of a tally: bounded, each in its own order. */
export type TallyLists = Pick<
  PodTally,
  "failJob" | "recent" | "recentUponFailure" | "successes" | "indexSuccesses" | "deletions"
>;

/** The first members of both, by the order of each list. */
export function joinLists(a: TallyLists, b: TallyLists): TallyLists {
  return boundLists({
    failJob: [...a.failJob, ...b.failJob],
    recent: [...a.recent, ...b.recent],
    recentUponFailure: [...a.recentUponFailure, ...b.recentUponFailure],
    successes: [...a.successes, ...b.successes],
    indexSuccesses: [...a.indexSuccesses, ...b.indexSuccesses],
    deletions: [...a.deletions, ...b.deletions],
  });
}

/** `a` without the members of `b`. */
export function takeLists(a: TallyLists, b: TallyLists): TallyLists {
  return {
    failJob: without(a.failJob, b.failJob, (x, y) => compareOrder(x, y) || compareText(x.message, y.message)),
    recent: without(a.recent, b.recent, (x, y) => compareText(x.uid, y.uid)),
    recentUponFailure: without(a.recentUponFailure, b.recentUponFailure, (x, y) => compareText(x.uid, y.uid)),
    successes: without(a.successes, b.successes, (x, y) => x - y),
    indexSuccesses: without(a.indexSuccesses, b.indexSuccesses, (x, y) => compareOrder(x, y) || x.index - y.index),
    deletions: without(a.deletions, b.deletions, (x, y) => compareText(x.uid, y.uid)),
  };
}

/** The lists in order, truncated to their bounds. */
export function boundLists(lists: TallyLists): TallyLists {
  return {
    failJob: [...lists.failJob]
      .sort((x, y) => compareOrder(x, y) || compareText(x.message, y.message))
      .slice(0, MAX_FAIL_JOB),
    recent: [...lists.recent].sort(byTouch).slice(0, MAX_RECENT),
    recentUponFailure: [...lists.recentUponFailure]
      .sort((x, y) => compareOrder(y, x) || compareText(x.uid, y.uid))
      .slice(0, MAX_RECENT),
    successes: [...lists.successes].sort((x, y) => x - y).slice(0, MAX_SUCCESSES),
    indexSuccesses: [...lists.indexSuccesses]
      .sort((x, y) => compareOrder(x, y) || x.index - y.index)
      .slice(0, MAX_ORDERED),
    deletions: [...lists.deletions]
      .sort((x, y) => compareOrder(x, y) || compareText(x.uid, y.uid))
      .slice(0, MAX_ORDERED),
  };
}

/** `all` without one equal member for each member of `gone`. */
function without<Item>(
  all: readonly Item[],
  gone: readonly Item[],
  compare: (a: Item, b: Item) => number,
): readonly Item[] {
  const rest = [...all];
  for (const item of gone) {
    const at = rest.findIndex((other) => compare(item, other) === 0);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

/** Orders Pods by their last change, latest first. */
function byTouch(a: CountedPod, b: CountedPod): number {
  return compareOrder(lastTouch(b), lastTouch(a)) || compareText(a.uid, b.uid);
}

/** The order of the Pod's last change: the removal of its finalizer, or else the fact that counts it. */
export function lastTouch(pod: CountedPod): Order {
  return pod.finalizerOffAt ?? pod;
}
