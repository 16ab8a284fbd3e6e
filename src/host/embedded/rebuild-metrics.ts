import type { Database } from "../../adapters/sqlite/database.ts";
import { contributeClusters } from "../../count/metrics/cluster-contribution.ts";
import { keepUnexplained, sumContributions } from "../../count/metrics/rebuild-sums.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { MetricStore } from "../../ports/metric-store.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { discardDamagedMetrics } from "./damaged-rows.ts";

export interface RebuildMetricsPorts {
  readonly meta: MetaStore;
  readonly metrics: MetricStore;
  readonly database: Database;
  readonly metricTables: MetricTables;
}

/**
 * Rebuilds the metrics: damaged rows are discarded, `recount` lets Jobs contribute again, and each number is the sum of
 * the contributions. What a counter had before stays, even if no subject contributes it any more.
 */
export async function rebuildMetrics<Result>(
  { database, metricTables, ...ports }: RebuildMetricsPorts,
  recount: (damaged: number) => Promise<Result>,
): Promise<Result> {
  const { damaged, unexplained } = await database.inTransaction(async () => ({
    damaged: await discardDamagedMetrics(database),
    unexplained: await sumContributions(metricTables),
  }));
  const recounted = await recount(damaged);
  if (damaged > 0) await contributeClusters(ports);
  await database.inTransaction(() => keepUnexplained(metricTables, unexplained));
  return recounted;
}
