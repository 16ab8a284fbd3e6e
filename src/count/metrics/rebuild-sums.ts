import { decodeClusterName } from "../../job/model/ids.ts";
import type { Amount } from "../../ports/metric-store.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { addRemoved } from "./removed-amounts.ts";
import { MetricTable } from "./sums/metric-table.ts";

/** A number of a counter that was higher than the contributions that are stored, because some of them were damaged. */
export interface Unexplained {
  readonly before: Amount;
  /** How much higher it was. */
  readonly amount: number;
}

/**
 * Lets each number be the sum of the stored contributions. Returns what counters had in addition: give it to
 * {@link keepUnexplained} when the subjects have contributed again.
 */
export async function sumContributions(tables: MetricTables): Promise<readonly Unexplained[]> {
  const stored = await tables.series();
  const table = MetricTable.of(stored);
  await tables.replaceSeries({ removed: [], written: table.resum(await contributedSums(tables)) });
  return stored.flatMap(({ series, numbers }) =>
    [...numbers].flatMap(([part, { sum }]) => {
      const amount = sum - table.numberOf(series, part).sum;
      return series.kind === "gauge" || amount <= 0 ? [] : [{ before: { series, part, amount: sum }, amount }];
    }),
  );
}

/** The sums of all stored contributions. */
export async function contributedSums(tables: MetricTables): Promise<MetricTable> {
  const sums = new MetricTable();
  for await (const amounts of tables.contributions()) {
    for (const { series, part, amount } of amounts) sums.add({ series, parts: new Map([[part, amount]]) });
  }
  return sums;
}

/**
 * Keeps what is still unexplained as contributions of removed subjects, because counters do not fall. What subjects
 * have contributed again counts once.
 */
export async function keepUnexplained(tables: MetricTables, unexplained: readonly Unexplained[]): Promise<void> {
  // Without any, no contribution needs to be read twice.
  const sums = unexplained.length === 0 ? new MetricTable() : await contributedSums(tables);
  for (const { before, amount } of unexplained) {
    const { series, part } = before;
    const cluster = decodeClusterName(series.labels["cluster"]);
    const missing = before.amount - sums.numberOf(series, part).sum;
    if (cluster === undefined || missing <= 0) continue;
    const kept = series.kind === "latest" ? before.amount : Math.min(missing, amount);
    await addRemoved(tables, cluster, [{ series, part, amount: kept }]);
  }
  await sumContributions(tables);
}
