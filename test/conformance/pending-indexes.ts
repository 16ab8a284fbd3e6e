import type { IndexSet } from "../../src/job/accounting/index-set.ts";

/**
 * The first `count` indexes that have neither succeeded nor failed nor an active Pod: those the controller makes Pods
 * for next.
 */
export function firstPendingIndexes(count: number, completions: number, taken: IndexSet): readonly number[] {
  const pending: number[] = [];
  let next = 0;
  for (const [first, last] of [...taken, [completions, completions] as const]) {
    for (; next < Math.min(first, completions) && pending.length < count; next += 1) pending.push(next);
    next = Math.max(next, last + 1);
  }
  return pending;
}
