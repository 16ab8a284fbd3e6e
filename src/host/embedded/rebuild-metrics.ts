import type { Database } from "../../adapters/sqlite/database.ts";
import { contributeClusters } from "../../count/metrics/cluster-contribution.ts";
import { CronFindingCounter, type CronFindingPorts } from "../../count/metrics/cron-finding-counter.ts";
import { MissedRunCounter } from "../../count/metrics/missed-run-counter.ts";
import { keepUnexplained, sumContributions } from "../../count/metrics/rebuild-sums.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { discardDamagedMetrics } from "./damaged-rows.ts";

export interface RebuildMetricsPorts extends CronFindingPorts {
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
  if (damaged > 0) {
    await contributeClusters(ports);
    await cronJobCounter()(ports, Date.now());
  }
  await database.inTransaction(() => keepUnexplained(metricTables, unexplained));
  return recounted;
}

/** Counts the missed runs since the last call, and the findings of CronJobs. */
export function cronJobCounter(): (ports: CronFindingPorts, now: Instant) => Promise<void> {
  const [missedRuns, findings] = [new MissedRunCounter(), new CronFindingCounter()];
  return async (ports, now) => {
    await missedRuns.count(ports, now);
    await findings.count(ports, now);
  };
}
