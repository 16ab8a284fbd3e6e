import { canonical } from "./canonical.ts";
import type { JobReported } from "./fact.ts";
import { compareOrder, type Order } from "./order.ts";

/**
 * The fact with the lower order, of two facts for the same field of a record: the first one is the transition. If the
 * orders are equal, the smaller canonical text decides, so that the join commutes. Returns `known` itself if it is
 * kept.
 */
export function earlier<F extends Order>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order < 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

/** The fact with the higher order, of two facts for the same field of a record: the current state. */
export function later<F extends Order>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order > 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

function isSmaller(a: Order, b: Order): boolean {
  return a !== b && canonical(a) < canonical(b);
}

/** A counter of a Job's status that the Job controller only increments. */
export type Counter = "succeeded" | "failed";

/**
 * The report with the highest value of a counter, of all reports about one Job; of equal ones the latest. `undefined`
 * if the latest report has that value: then the counter has not fallen, as far as is known, and nothing is kept.
 *
 * `peak` and `latest` are those before `seen`, `next` is the latest report with it. Because an omitted peak is the
 * latest report itself, the result depends only on the set of reports, not on their order.
 */
export function peakOf(
  counter: Counter,
  { peak, latest }: { readonly peak: JobReported | undefined; readonly latest: JobReported | undefined },
  { seen, next }: { readonly seen: JobReported; readonly next: JobReported },
): JobReported | undefined {
  const highest = higher(counter, peak ?? latest, seen);
  return valueOf(counter, highest) > valueOf(counter, next) ? highest : undefined;
}

function higher(counter: Counter, known: JobReported | undefined, seen: JobReported): JobReported {
  if (known === undefined) return seen;
  const difference = valueOf(counter, known) - valueOf(counter, seen);
  if (difference !== 0) return difference > 0 ? known : seen;
  return later(known, seen);
}

function valueOf(counter: Counter, { status }: JobReported): number {
  return status[counter] ?? 0;
}
