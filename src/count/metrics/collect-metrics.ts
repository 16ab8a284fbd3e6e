import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { OTHER_NAMESPACE } from "../../ports/bounded-labels.ts";
import type { Labels, MetricStore, ShownSeries } from "../../ports/metric-store.ts";
import { mayRead, mayReadAll, mayReadCluster, type Scope } from "../../query/access/scope.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import { contributeClusters } from "./cluster-contribution.ts";
import { METRIC_FAMILIES, type MetricFamily } from "./metric-families.ts";
import { observedSeries } from "./observed-series.ts";
import { storedScheduleSeries } from "./schedules/schedule-series.ts";
import { seriesId } from "./sums/amount-sums.ts";

export interface MetricPorts {
  readonly metrics: MetricStore;
  readonly meta: MetaStore;
}

/** A family with the series that a reader may see. */
export interface CollectedFamily {
  readonly family: MetricFamily;
  readonly series: readonly CollectedSeries[];
}

export interface CollectedSeries {
  readonly labels: Labels;
  /** The stored number of each part. {@link MetricFamily.divisor} scales it. */
  readonly parts: ReadonlyMap<number, number>;
}

/** The metrics that a reader may see, as of now. Reads sums and the records of clusters, but no Job. */
export async function collectMetrics(
  { metrics, meta }: MetricPorts,
  scope: Scope,
  now: Instant,
): Promise<readonly CollectedFamily[]> {
  await contributeClusters({ metrics, meta });
  const { isGone, series: observed } = await observedSeries(meta, now);
  const stored = (await storedSeries({ metrics, meta }, scope)).filter((series) => !isGone(series));
  const visible = [...stored, ...observed].filter(({ labels }) => maySee(scope, labels));
  const byFamily = Map.groupBy(visible, ({ family }) => family);
  return METRIC_FAMILIES.map((family) => ({ family, series: byFamily.get(family.number) ?? [] }));
}

/** The series of Jobs, and those of CronJobs, which are counted apart. Both have findings. */
async function storedSeries({ metrics, meta }: MetricPorts, scope: Scope): Promise<readonly ShownSeries[]> {
  const shown = new Map((await metrics.show()).map((series) => [seriesId(series), series]));
  for (const cluster of await clusterNames(meta, scope)) {
    for (const series of await storedScheduleSeries(meta, cluster)) {
      const ofJobs = shown.get(seriesId(series))?.parts.get(0) ?? 0;
      shown.set(seriesId(series), { ...series, parts: new Map([[0, ofJobs + (series.parts.get(0) ?? 0)]]) });
    }
  }
  return [...shown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
}

function maySee(scope: Scope, { cluster, namespace }: Labels): boolean {
  if (cluster === undefined) return true;
  if (namespace === undefined) return mayReadCluster(scope, cluster);
  return namespace === OTHER_NAMESPACE ? mayReadAll(scope, cluster) : mayRead(scope, cluster, namespace);
}
