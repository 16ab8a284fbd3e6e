import { canonical } from "./canonical.ts";
import type { Fact } from "./fact.ts";
import { compareOrder } from "./order.ts";

/**
 * The fact with the lower order, of two facts for the same field of a record: the first one is the transition. If the
 * orders are equal, the smaller canonical text decides, so that the join commutes. Returns `known` itself if it is
 * kept.
 */
export function earlier<F extends Fact>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order < 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

/** The fact with the higher order, of two facts for the same field of a record: the current state. */
export function later<F extends Fact>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order > 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

function isSmaller(a: Fact, b: Fact): boolean {
  return a !== b && canonical(a) < canonical(b);
}
