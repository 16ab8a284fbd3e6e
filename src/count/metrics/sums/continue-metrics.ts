import type { ClusterName } from "../../../job/model/ids.ts";
import { metricsKey } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Series } from "../../../ports/metric-store.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { AmountSums } from "./amount-sums.ts";
import { type MetricPart, type MetricsOf, readParts, writePart } from "./metric-parts.ts";
import { MetricTable } from "./metric-table.ts";

export interface Continuation {
  readonly meta: MetaStore;
  /** The projection whose metrics were shown until now. */
  readonly from: ProjectionName;
  readonly to: ProjectionName;
  /** The difference between what Jobs that changed in the meantime contribute to `to` and to `from`. */
  readonly ahead: ReadonlyMap<ClusterName, AmountSums>;
}

/**
 * Lets the counters of `to` continue from those of `from`. Thus a rebuilt projection changes no counter, although it
 * lacks expired Jobs and may count others differently. Gauges are those of `to`. Repeating it gives the same numbers.
 */
export async function continueMetrics({ meta, from, to, ahead }: Continuation): Promise<void> {
  for (const cluster of await clusterNames(meta, "everything")) {
    const before = await readParts({ meta, projection: from, cluster });
    if (before.length === 0) continue;
    const of = { meta, projection: to, cluster };
    const [earlier, later] = [tableOf(before), tableOf(await readParts(of))];
    await continueCluster(of, { earlier, later, ahead: ahead.get(cluster) ?? new AmountSums() });
  }
}

function tableOf(parts: readonly MetricPart[]): MetricTable {
  return MetricTable.of(parts.flatMap(({ table }) => table.stored()));
}

interface Tables {
  readonly earlier: MetricTable;
  readonly later: MetricTable;
  readonly ahead: AmountSums;
}

async function continueCluster(of: MetricsOf, { earlier, later, ahead }: Tables): Promise<void> {
  const difference = new MetricTable();
  for (const change of ahead.changed()) difference.add(change);
  const parts = [...(await readParts(of))];
  const into = (series: Series): MetricTable => {
    const known = parts.find(({ table }) => table.has(series)) ?? parts.at(-1);
    if (known !== undefined) return known.table;
    const table = new MetricTable();
    parts.push({ key: metricsKey(of.cluster, of.projection, 0), table, round: 0, version: 0 });
    return table;
  };
  for (const { series, part } of [...numbersIn(earlier), ...numbersIn(later)]) {
    const [was, is] = [earlier.numberOf(series, part), later.numberOf(series, part)];
    const { sum } = is;
    if (series.kind === "latest") into(series).set(series, part, { ...is, sum: Math.max(sum, was.sum) });
    if (series.kind !== "counter") continue;
    const value = was.base + was.sum + difference.numberOf(series, part).sum;
    into(series).set(series, part, { sum, base: value - sum, shown: was.shown });
  }
  for (const part of parts) {
    part.table.raised();
    await writePart(of.meta, part);
  }
}

function numbersIn(table: MetricTable) {
  return table.stored().flatMap(({ series, numbers }) => [...numbers.keys()].map((part) => ({ series, part })));
}
