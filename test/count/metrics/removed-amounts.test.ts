import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { addRemoved, isRemoved, removedSubject } from "../../../src/count/metrics/removed-amounts.ts";
import type { Amount, Series } from "../../../src/ports/metric-store.ts";
import type { MetricTables } from "../../../src/ports/sums/metric-tables.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const cluster = clusterNamed("east");
let database: Database;
let tables: MetricTables;
beforeEach(async () => {
  database = openDatabase(":memory:");
  tables = createSqliteMetricTables(database);
});
afterEach(() => database.close());

const counter: Series = { family: 3, kind: "counter", labels: { cluster, owner: "report" } };
const latest: Series = { family: 9, kind: "latest", labels: { cluster, cronjob: "report" } };
const of = (series: Series, part: number, amount: number): Amount => ({ series, part, amount });

describe("what removed subjects have contributed", () => {
  it("is added up for each series, in a row of its own", async () => {
    await addRemoved(tables, cluster, [of(counter, 0, 5), of(counter, 2, 1), of(latest, 0, 7)]);
    await addRemoved(tables, cluster, [of(counter, 0, 3), of(counter, 4, 1), of(latest, 0, 6)]);
    expect(await tables.amountsOf(removedSubject(cluster, counter))).toEqual([
      of(counter, 0, 8),
      of(counter, 2, 1),
      of(counter, 4, 1),
    ]);
    expect(await tables.amountsOf(removedSubject(cluster, latest))).toEqual([of(latest, 0, 7)]);
  });

  it("has an id that no existing subject has", async () => {
    await addRemoved(tables, cluster, [of(counter, 0, 5)]);
    await tables.writeAmounts({ cluster, id: "uid" }, [of(counter, 0, 1)], 1);
    expect((await tables.subjects(cluster)).filter((id) => !isRemoved(id))).toEqual(["uid"]);
  });

  it("changes no number", async () => {
    await addRemoved(tables, cluster, [of(counter, 0, 5)]);
    expect(await tables.series()).toEqual([]);
  });
});
