import type { MetricNumber, StoredSeries } from "../../../ports/sums/metric-tables.ts";
import type { DividedSeries, MetricTable } from "./metric-table.ts";

/**
 * Divides series of namespaces. `kept` has what their Jobs contribute to counters. A gauge has only Jobs that exist, so
 * it is not divided: it may have changed since the Jobs were read. The sum of both counters is as before.
 */
export function dividing(kept: MetricTable): (stored: StoredSeries) => DividedSeries {
  const namespaces = new Set(kept.stored().map(({ series }) => series.labels["namespace"]));
  return (stored) => (namespaces.has(stored.series.labels["namespace"]) ? divided(stored, kept) : { rest: stored });
}

function divided(stored: StoredSeries, kept: MetricTable): DividedSeries {
  const { series, numbers } = stored;
  if (series.kind === "gauge") return { kept: stored };
  const [own, rest] = [new Map<number, MetricNumber>(), new Map<number, MetricNumber>()];
  let below = 0;
  for (const [part, { sum, base, shown }] of [...numbers].sort(([a], [b]) => a - b)) {
    const mine = Math.min(sum, Math.max(0, kept.numberOf(series, part).sum));
    if (part > 0) below += mine;
    const left = series.kind === "latest" ? (mine < sum ? sum : 0) : sum - mine;
    own.set(part, { sum: mine, base: 0, shown: 0 });
    rest.set(part, { sum: left, base, shown: Math.max(0, shown - (part > 0 ? below : mine)) });
  }
  if (!hasNumbers(rest)) return { kept: stored };
  return { ...(hasNumbers(own) && { kept: { series, numbers: own } }), rest: { series, numbers: rest } };
}

function hasNumbers(numbers: StoredSeries["numbers"]): boolean {
  return [...numbers.values()].some(({ sum, base }) => sum + base !== 0);
}
