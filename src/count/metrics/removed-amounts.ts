import type { ClusterName } from "../../job/model/ids.ts";
import type { Amount, MetricSubject, Series } from "../../ports/metric-store.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { differenceOf } from "./sums/amount-difference.ts";

/**
 * Stores what subjects that no longer exist have contributed. Thus each number is the sum of stored contributions, and
 * can be rebuilt from them. Does not change the numbers.
 */
export async function addRemoved(
  tables: MetricTables,
  cluster: ClusterName,
  amounts: readonly Amount[],
): Promise<void> {
  for (const { series, parts } of differenceOf([], amounts).changed()) {
    const subject = removedSubject(cluster, series);
    const added = [...parts].map(([part, amount]) => ({ series, part, amount }));
    const sums = differenceOf([], added, differenceOf([], await tables.amountsOf(subject)));
    const [all] = sums.changed();
    const numbers = [...(all?.parts ?? [])].map(([part, amount]) => ({ series, part, amount }));
    await tables.writeAmounts(subject, numbers, 0);
  }
}

const REMOVED = "removed/";

/** The subject of what was removed from a series. */
export function removedSubject(cluster: ClusterName, { family, labels }: Series): MetricSubject {
  return { cluster, id: `${REMOVED}${JSON.stringify([family, ...Object.values(labels)])}` };
}

export function isRemoved(id: string): boolean {
  return id.startsWith(REMOVED);
}
