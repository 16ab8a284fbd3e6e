import type { JobObject } from "../model/job-record.ts";
import { compareOrder, type Order } from "../model/order.ts";

/**
 * A range of indexes that an elastic Indexed Job lost when it was scaled down, and the order at which it was scaled up
 * again (job-semantics 4.2). Upstream forgets earlier successes: these indexes must run again.
 */
export interface SizeCut {
  /** The first index of the range. */
  readonly from: number;
  /** The first index after the range. */
  readonly below: number;
  readonly since: Order;
}

/** The ranges that were lost and regained, one for each time the Job was scaled up again. */
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

/** The size of a Job from `since` on. */
export interface Size {
  readonly completions: number;
  readonly since: Order;
}

/** The sizes of an elastic Job, in order, each different from the one before. Empty if the Job was never scaled. */
export function sizeChanges(job: JobObject): readonly Size[] {
  const changes: Size[] = [];
  for (const { completions, epoch, resourceVersion } of sizesOf(job)) {
    if (changes.at(-1)?.completions === completions) continue;
    changes.push({ completions, since: { epoch, resourceVersion } });
  }
  return changes.length < 2 ? [] : changes;
}

/**
 * The size at `at`. Upstream checks the range of an index only when it counts the Pod (job-semantics 4.2). Compares a
 * Pod's order with a Job's.
 */
export function sizeAt(sizes: readonly Size[], at: Order): number | undefined {
  return (sizes.findLast(({ since }) => compareOrder(since, at) <= 0) ?? sizes[0])?.completions;
}

/**
 * Whether upstream forgot a success of `index` at `at` because the Job was scaled down later. Compares a Pod's order
 * with a Job's (docs/decisions/0008-known-totals.md).
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
