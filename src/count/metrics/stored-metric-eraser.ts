import { decodeClusterName } from "../../job/model/ids.ts";
import type { MetricEraser } from "../../ports/erasing/eraser.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Labels, MetricSubject, Series } from "../../ports/metric-store.ts";
import type { MetricTables, StoredSeries } from "../../ports/sums/metric-tables.ts";
import { contributedSums, keepUnexplained, sumContributions } from "./rebuild-sums.ts";
import { addRemoved, isRemoved, removedSubject } from "./removed-amounts.ts";
import { relabelSchedules } from "./schedules/relabel-schedules.ts";
import { differenceOf, lasting } from "./sums/amount-difference.ts";
import { seriesId } from "./sums/amount-sums.ts";
import { MetricTable } from "./sums/metric-table.ts";

/** Erases names from metrics whose subjects are stored beside their sums, and from those of CronJobs. */
export function storedMetricEraser(tables: MetricTables, meta: MetaStore): MetricEraser {
  return {
    subjects: async (cluster) => (await tables.subjects(cluster)).filter((id) => !isRemoved(id)),
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
  await addRemoved(tables, subject.cluster, lasting(amounts));
  await tables.removeSubject(subject);
}

/** Only what removed subjects contributed gets other labels. The others are not erased. */
async function relabel(tables: MetricTables, change: (labels: Labels) => Labels | undefined): Promise<void> {
  const isNamed = ({ series }: StoredSeries): boolean => change(series.labels) !== undefined;
  if (!(await tables.series()).some(isNamed)) return;
  // An earlier release did not store what removed subjects had contributed.
  await keepUnexplained(tables, await sumContributions(tables));
  const removed: Series[] = [];
  for (const { series, numbers } of (await tables.series()).filter(isNamed)) {
    const isMoved = await moveRemoved(tables, series, change(series.labels) ?? series.labels);
    if (isMoved || [...numbers.values()].every(({ sum }) => sum === 0)) removed.push(series);
  }
  const names = new Set(removed.map(seriesId));
  const left = MetricTable.of((await tables.series()).filter(({ series }) => !names.has(seriesId(series))));
  await tables.replaceSeries({ removed, written: left.resum(await contributedSums(tables)) });
}

/** Returns whether there was anything. */
async function moveRemoved(tables: MetricTables, series: Series, labels: Labels): Promise<boolean> {
  const cluster = decodeClusterName(series.labels["cluster"]);
  if (cluster === undefined) return false;
  const subject = removedSubject(cluster, series);
  const amounts = await tables.amountsOf(subject);
  await addRemoved(
    tables,
    cluster,
    amounts.map((amount) => ({ ...amount, series: { ...series, labels } })),
  );
  await tables.removeSubject(subject);
  return amounts.length > 0;
}
