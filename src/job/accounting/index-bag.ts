import { fromIntervals, type IndexSet, type Interval } from "./index-set.ts";

/**
 * A multiset of indexes: ascending runs `[first, last, times]` that do not overlap. Unlike from a set, one occurrence
 * can be subtracted, so the sum over a million Pods can be updated when one of them changes.
 */
export type IndexBag = readonly IndexRun[];
export type IndexRun = readonly [first: number, last: number, times: number];

export const EMPTY_BAG: IndexBag = [];

/** The bag of `indexes`, which can be in any order and occur several times. */
export function bagOf(indexes: readonly number[]): IndexBag {
  const runs: [number, number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const previous = runs.at(-1);
    if (previous?.[0] === index) previous[2] += 1;
    else runs.push([index, index, 1]);
  }
  return compact(runs);
}

/**
 * The sum of both bags; with `sign` -1, their difference. A run with 0 occurrences is omitted. A difference can have a
 * negative number of occurrences.
 */
export function addBags(a: IndexBag, b: IndexBag, sign: 1 | -1 = 1): IndexBag {
  if (b.length === 0) return a;
  if (a.length === 0 && sign === 1) return b;
  const steps = [...stepsOf(a, 1), ...stepsOf(b, sign)].sort((x, y) => x.at - y.at);
  const runs: [number, number, number][] = [];
  let times = 0;
  let from = 0;
  for (const { at, by } of steps) {
    if (times !== 0 && at > from) runs.push([from, at - 1, times]);
    times += by;
    from = at;
  }
  return compact(runs);
}

/** The indexes that occur at least once. */
export function indexesOf(bag: IndexBag): IndexSet {
  return fromIntervals(bag.filter(([, , times]) => times > 0).map(([first, last]): Interval => [first, last]));
}

function stepsOf(bag: IndexBag, sign: 1 | -1): { readonly at: number; readonly by: number }[] {
  return bag.flatMap(([first, last, times]) => [
    { at: first, by: times * sign },
    { at: last + 1, by: -times * sign },
  ]);
}

function compact(runs: readonly IndexRun[]): IndexBag {
  const bag: [number, number, number][] = [];
  for (const [first, last, times] of runs) {
    const previous = bag.at(-1);
    if (previous?.[1] === first - 1 && previous[2] === times) previous[1] = last;
    else bag.push([first, last, times]);
  }
  return bag;
}
