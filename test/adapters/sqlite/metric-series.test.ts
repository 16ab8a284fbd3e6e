import { afterAll, describe, expect, it } from "vitest";
import type { Series } from "../../../src/ports/metric-store.ts";
import type { StoredSeries } from "../../../src/ports/sums/metric-tables.ts";
import { findSeries, idOfSeries, readSeries, writeShown } from "../../../src/adapters/sqlite/metric-series.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const scratch = new ScratchDatabases();
afterAll(() => scratch.clear());

const labels = { cluster: "east", namespace: "shop", owner: "a" };
const histogram: Series = { family: 3, kind: "counter", labels };
const gauge: Series = { family: 1, kind: "gauge", labels };

async function written() {
  const database = scratch.open(scratch.newPath());
  const tables = createSqliteMetricTables(database);
  await tables.add({
    series: histogram,
    parts: new Map([
      [0, 6],
      [3, 2],
      [5, 1],
    ]),
  });
  await tables.add({ series: gauge, parts: new Map([[0, 4]]) });
  return database;
}

describe("the id of a label set", () => {
  it("is that of every release and process", () => {
    expect(idOfSeries(histogram)).toBe(idOfSeries({ ...histogram, labels: { ...labels } }));
    expect(idOfSeries(gauge)).not.toBe(idOfSeries(histogram));
  });
});

describe("stored series", () => {
  it("are read with all their numbers, of which a counter shows none until it is raised", async () => {
    const database = await written();
    expect(await database.read(readSeries)).toEqual([
      { series: gauge, numbers: new Map([[0, { sum: 4, base: 0, shown: 4 }]]) },
      {
        series: histogram,
        numbers: new Map([
          [0, { sum: 6, base: 0, shown: 0 }],
          [3, { sum: 2, base: 0, shown: 0 }],
          [5, { sum: 1, base: 0, shown: 0 }],
        ]),
      },
    ]);
    expect(await database.read((connection) => findSeries(connection, idOfSeries(gauge)))).toEqual(gauge);
    expect(await database.read((connection) => findSeries(connection, 1))).toBeUndefined();
  });

  it("keep what each bucket has shown without those below it, as every release does", async () => {
    const database = await written();
    const raised: StoredSeries = {
      series: histogram,
      numbers: new Map([
        [0, { sum: 6, base: 0, shown: 6 }],
        [3, { sum: 2, base: 0, shown: 2 }],
        [5, { sum: 1, base: 0, shown: 3 }],
      ]),
    };
    await database.write((connection) => writeShown(connection, [raised]));
    const sql = "SELECT part, shown FROM metric_values WHERE series = ? ORDER BY part";
    const rows = await database.read((connection) => connection.all(sql, idOfSeries(histogram)));
    expect(rows.map((row) => [row["part"], row["shown"]])).toEqual([
      [0, 6],
      [3, 2],
      [5, 1],
    ]);
    expect(await database.read(readSeries)).toContainEqual(raised);
  });
});
