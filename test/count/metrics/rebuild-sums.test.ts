import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { keepUnexplained, sumContributions } from "../../../src/count/metrics/rebuild-sums.ts";
import { StoredMetrics } from "../../../src/count/metrics/stored-metrics.ts";
import type { Amount, Series } from "../../../src/ports/metric-store.ts";
import type { MetricTables } from "../../../src/ports/sums/metric-tables.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const cluster = clusterNamed("east");
const labels = { cluster, namespace: "shop" };
const [gauge, counter, latest]: readonly [Series, Series, Series] = [
  { family: 1, kind: "gauge", labels },
  { family: 2, kind: "counter", labels },
  { family: 9, kind: "latest", labels },
];
const of = (series: Series, amount: number, part = 0): Amount => ({ series, part, amount });

let database: Database;
let tables: MetricTables;
let metrics: StoredMetrics;
beforeEach(async () => {
  database = openDatabase(":memory:");
  tables = createSqliteMetricTables(database);
  metrics = new StoredMetrics(tables, { maxSeries: 100 });
  await contribute("a", of(gauge, 1), of(counter, 3), of(latest, 7));
  await contribute("b", of(gauge, 1), of(counter, 4), of(latest, 5));
});
afterEach(() => database.close());

const contribute = (id: string, ...amounts: readonly Amount[]) =>
  metrics.contribute({ cluster, id }, { at: 1, amounts });
const exec = (sql: string) => database.write((connection) => connection.exec(sql));
const lose = (id: string) => tables.removeSubject({ cluster, id });
const shown = async () => (await metrics.show()).map(({ kind, parts }) => `${kind} ${[...parts.values()].join()}`);

/** As a replay does. */
async function rebuild(recount: () => Promise<void> = async () => {}): Promise<void> {
  const unexplained = await sumContributions(tables);
  await recount();
  await keepUnexplained(tables, unexplained);
}

describe("sums that are rebuilt", () => {
  it("are those of the stored contributions, whatever the numbers were", async () => {
    await exec("UPDATE metric_values SET value = value - 1");
    await rebuild();
    expect(await shown()).toEqual(["gauge 2", "counter 7", "latest 7"]);
  });

  it("exist again when their rows were lost", async () => {
    await exec("DELETE FROM metric_values");
    await rebuild();
    expect(await shown()).toEqual(["gauge 2", "counter 7", "latest 7"]);
  });

  it("count a subject once that contributes again because its row was lost", async () => {
    await lose("a");
    await rebuild(() => contribute("a", of(gauge, 1), of(counter, 3), of(latest, 7)));
    expect(await shown()).toEqual(["gauge 2", "counter 7", "latest 7"]);
    await contribute("a", of(counter, 5), of(latest, 8));
    expect(await shown()).toEqual(["gauge 1", "counter 9", "latest 8"]);
  });

  it("keep in counters what a lost subject contributed that does not contribute again", async () => {
    await lose("a");
    await rebuild();
    await exec("DELETE FROM metric_values");
    await rebuild();
    expect(await shown()).toEqual(["gauge 1", "counter 7", "latest 7"]);
  });

  it("do not keep more than was lost when a verdict is corrected meanwhile", async () => {
    await lose("a");
    await rebuild(() => contribute("b", of(counter, 1)));
    expect((await tables.series()).map(({ numbers }) => numbers.get(0)?.sum)).toEqual([0, 4, 7]);
  });

  it("keep a counter where a scrape has shown it, and new buckets above those below them", async () => {
    await contribute("a", of(counter, 3), of(counter, 1, 1), of(counter, 1, 3));
    await metrics.show();
    await contribute("a", of(counter, 2), of(counter, 1, 1));
    await exec("DELETE FROM metric_values WHERE part = 3");
    await contribute("b", of(counter, 4), of(counter, 1, 2));
    await rebuild();
    const { parts } = (await metrics.show()).find(({ kind }) => kind === "counter") ?? { parts: new Map() };
    expect(Object.fromEntries(parts)).toEqual({ 0: 7, 1: 1, 2: 1 });
  });
});
