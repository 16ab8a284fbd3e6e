/** A set of whole numbers as ascending intervals that neither overlap nor touch (job-semantics 4.1). */
export type IndexSet = readonly Interval[];
/** First and last index, both in the set. */
export type Interval = readonly [first: number, last: number];

export const NO_INDEXES: IndexSet = [];

/**
 * Parses `completedIndexes` or `failedIndexes` as upstream does (`parseIndexesFromString`). Invalid parts are skipped,
 * the first part that starts at `completions` or above ends the parsing, and intervals end at `completions - 1`. The
 * parts can be in any order.
 */
export function parseIndexSet(text: string, completions: number): IndexSet {
  const intervals: Interval[] = [];
  for (const part of text.split(",")) {
    const [start, end] = part.split("-");
    const first = parseIndex(start);
    if (first === undefined) continue;
    if (first >= completions) break;
    const last = end === undefined ? first : parseIndex(end);
    if (last === undefined || last < first) continue;
    intervals.push([first, Math.min(last, completions - 1)]);
  }
  return fromIntervals(intervals);
}

/** Formats a set as upstream does: two adjacent indexes as `a,b`, three or more as `a-b`, the empty set as `""`. */
export function formatIndexSet(set: IndexSet): string {
  return set
    .map(([first, last]) =>
      last === first ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
    )
    .join(",");
}

/** How many indexes are in the set. */
export function countIndexes(set: IndexSet): number {
  return set.reduce((count, [first, last]) => count + last - first + 1, 0);
}

export function hasIndex(set: IndexSet, index: number): boolean {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const interval = set[middle];
    if (interval === undefined) return false;
    if (index < interval[0]) high = middle - 1;
    else if (index > interval[1]) low = middle + 1;
    else return true;
  }
  return false;
}

export function addIndex(set: IndexSet, index: number): IndexSet {
  return hasIndex(set, index) ? set : fromIntervals([...set, [index, index]]);
}

export function unionIndexes(a: IndexSet, b: IndexSet): IndexSet {
  if (a.length === 0) return b;
  return b.length === 0 ? a : fromIntervals([...a, ...b]);
}

/** The indexes that are in both sets. */
export function intersectIndexes(a: IndexSet, b: IndexSet): IndexSet {
  const common: Interval[] = [];
  let other = 0;
  for (const [first, last] of a) {
    for (let next = b[other]; next !== undefined && next[0] <= last; next = b[other]) {
      if (next[1] >= first) common.push([Math.max(first, next[0]), Math.min(last, next[1])]);
      if (next[1] > last) break;
      other += 1;
    }
  }
  return common;
}

/** The indexes that are in `a` and not in `b`. */
export function withoutIndexes(a: IndexSet, b: IndexSet): IndexSet {
  const rest: Interval[] = [];
  let next = -Infinity;
  for (const [first, last] of b) {
    rest.push([next, first - 1]);
    next = last + 1;
  }
  return intersectIndexes(a, [...rest, [next, Infinity]]);
}

/** The indexes below `completions`. */
export function cutIndexes(set: IndexSet, completions: number): IndexSet {
  return intersectIndexes(set, completions > 0 ? [[0, completions - 1]] : NO_INDEXES);
}

/** The union of intervals in any order. An interval that ends before it starts is empty. */
export function fromIntervals(intervals: readonly Interval[]): IndexSet {
  const set: [number, number][] = [];
  for (const [first, last] of [...intervals].sort((a, b) => a[0] - b[0])) {
    if (last < first) continue;
    const previous = set.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else set.push([first, last]);
  }
  return set;
}

/** A decimal integer as Go's `strconv.Atoi` parses it, if a double represents it exactly. */
function parseIndex(text: string | undefined): number | undefined {
  if (text === undefined || !/^\+?[0-9]+$/.test(text)) return undefined;
  const index = Number(text);
  return Number.isSafeInteger(index) ? index : undefined;
}
