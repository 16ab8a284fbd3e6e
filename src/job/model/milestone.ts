import { canonical } from "./canonical.ts";
import type { Fact } from "./fact.ts";
import { compareOrder } from "./order.ts";

/**
 * Of two facts for the same place in a record, the one of lower order: what happened first is what happened.
 * Equal stamps are decided by the smaller canonical text, so that the join commutes. Keeps `known` itself where nothing changes.
 */
export function earlier<F extends Fact>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order < 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

/** Of two facts for the same place in a record, the one of higher order: what is true now. */
export function later<F extends Fact>(known: F | undefined, seen: F): F {
  if (known === undefined) return seen;
  const order = compareOrder(known, seen);
  return order > 0 || (order === 0 && !isSmaller(seen, known)) ? known : seen;
}

function isSmaller(a: Fact, b: Fact): boolean {
  return a !== b && canonical(a) < canonical(b);
}
