import type { JobObject } from "../model/job-record.ts";
import { compareOrder, type Order } from "../model/order.ts";

/**
 * One stretch of indexes that fell out of an elastic Indexed Job when it shrank, and the order at which it grew again
 * (job-semantics 4.2). A success from before is forgotten upstream: the index must run again.
 */
export interface SizeCut {
  /** The indexes from here on ... */
  readonly from: number;
  /** ... and below this are counted again since `since`. */
  readonly below: number;
  readonly since: Order;
}

/**
 * The stretches that were cut off and are in range again, one for each time it grew again. Empty for a Job that never
 * shrank.
 */
export function sizeCuts(job: JobObject): readonly SizeCut[] {
  const cuts: SizeCut[] = [];
  let size: number | undefined;
  let largest = 0;
  for (const { completions, epoch, resourceVersion } of sizesOf(job)) {
    if (size !== undefined && completions > size && size < largest) {
      cuts.push({ from: size, below: Math.min(completions, largest), since: { epoch, resourceVersion } });
    }
    size = completions;
    largest = Math.max(largest, completions);
  }
  return cuts;
}

/** The Job's size from `since` on. */
export interface Size {
  readonly completions: number;
  readonly since: Order;
}

/**
 * The sizes an elastic Job had, in order, each different from the one before. Empty for a Job that was never resized.
 */
export function sizeChanges(job: JobObject): readonly Size[] {
  const changes: Size[] = [];
  for (const { completions, epoch, resourceVersion } of sizesOf(job)) {
    if (changes.at(-1)?.completions === completions) continue;
    changes.push({ completions, since: { epoch, resourceVersion } });
  }
  return changes.length < 2 ? [] : changes;
}

/**
 * The size in force at `at`: whether an index was in range is asked when its Pod is counted, and never again
 * (job-semantics 4.2). Compares a Pod's order with a Job's.
 */
export function sizeAt(sizes: readonly Size[], at: Order): number | undefined {
  return (sizes.findLast(({ since }) => compareOrder(since, at) <= 0) ?? sizes[0])?.completions;
}

/**
 * Whether a success of `index` at `at` was forgotten by a later shrinking. Compares a Pod's order with a Job's
 * (docs/decisions/0008-known-totals.md).
 */
export function isCutOff(cuts: readonly SizeCut[], index: number, at: Order): boolean {
  return cuts.some(({ from, below, since }) => index >= from && index < below && compareOrder(at, since) < 0);
}

function sizesOf({ specified, reported }: JobObject): readonly (Order & { readonly completions: number })[] {
  const seen = [...(specified?.values() ?? [])].flatMap(({ epoch, resourceVersion, spec }) =>
    spec.completions === undefined ? [] : [{ epoch, resourceVersion, completions: spec.completions }],
  );
  const last = reported?.mutable.completions;
  if (reported !== undefined && last !== undefined) {
    seen.push({ epoch: reported.epoch, resourceVersion: reported.resourceVersion, completions: last });
  }
  return seen.sort((a, b) => compareOrder(a, b) || a.completions - b.completions);
}
