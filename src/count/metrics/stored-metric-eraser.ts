import type { MetricEraser } from "../../ports/erasing/eraser.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Labels, MetricSubject } from "../../ports/metric-store.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { relabelSchedules } from "./schedules/relabel-schedules.ts";
import { differenceOf, lasting } from "./sums/amount-difference.ts";
import { seriesId } from "./sums/amount-sums.ts";
import { MetricTable } from "./sums/metric-table.ts";

/** Erases names from metrics whose subjects are stored beside their sums, and from those of CronJobs. */
export function storedMetricEraser(tables: MetricTables, meta: MetaStore): MetricEraser {
  return {
    subjects: (cluster) => tables.subjects(cluster),
    forget: (cluster, id) => tables.inTransaction(() => forget(tables, { cluster, id })),
    relabel: async (change) => {
      await tables.inTransaction(() => relabel(tables, change));
      await relabelSchedules(meta, change);
    },
  };
}

async function forget(tables: MetricTables, subject: MetricSubject): Promise<void> {
  const amounts = await tables.amountsOf(subject);
  for (const added of differenceOf(amounts, lasting(amounts)).changed()) await tables.add(added);
  await tables.removeSubject(subject);
}

async function relabel(tables: MetricTables, change: (labels: Labels) => Labels | undefined): Promise<void> {
  const table = MetricTable.of(await tables.series());
  const relabelled = table.relabelled(change);
  if (relabelled === undefined) return;
  const all = table.stored().map(({ series }) => series);
  const removed = all.filter(({ labels }) => change(labels) !== undefined);
  const names = new Set(removed.map(({ family, labels }) => seriesId({ family, labels: change(labels) ?? labels })));
  const written = relabelled.stored().filter(({ series }) => names.has(seriesId(series)));
  await tables.replaceSeries({ removed, written });
}
