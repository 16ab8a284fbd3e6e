import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { OTHER_NAMESPACE } from "../../ports/bounded-labels.ts";
import type { Labels, MetricStore } from "../../ports/metric-store.ts";
import { mayRead, mayReadAll, mayReadCluster, type Scope } from "../../query/access/scope.ts";
import { contributeClusters } from "./cluster-contribution.ts";
import { METRIC_FAMILIES, type MetricFamily } from "./metric-families.ts";
import { observedSeries } from "./observed-series.ts";

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

/** The metrics that a reader may see, as of now. Reads the sums and the records of clusters, but no Job. */
export async function collectMetrics(
  { metrics, meta }: MetricPorts,
  scope: Scope,
  now: Instant,
): Promise<readonly CollectedFamily[]> {
  await contributeClusters({ metrics, meta });
  const { isGone, series: observed } = await observedSeries(meta, now);
  const stored = (await metrics.show()).filter((series) => !isGone(series));
  const visible = [...stored, ...observed].filter(({ labels }) => maySee(scope, labels));
  const byFamily = Map.groupBy(visible, ({ family }) => family);
  return METRIC_FAMILIES.map((family) => ({ family, series: byFamily.get(family.number) ?? [] }));
}

function maySee(scope: Scope, { cluster, namespace }: Labels): boolean {
  if (cluster === undefined) return true;
  if (namespace === undefined) return mayReadCluster(scope, cluster);
  return namespace === OTHER_NAMESPACE ? mayReadAll(scope, cluster) : mayRead(scope, cluster, namespace);
}
