import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import type { Series } from "../../../src/ports/metric-store.ts";
import { findDamagedRows } from "../../../src/adapters/sqlite/integrity.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const scratch = new ScratchDatabases();
afterAll(() => scratch.clear());

const subject = { cluster: clusterNamed("east"), id: "job-1" };
const series: Series = { family: 2, kind: "counter", labels: { cluster: "east", owner: "a" } };
const amount = { series, part: 0, amount: 3 };

describe("the tables of metrics of a database", () => {
  it("return what a subject contributes, in another process as well", async () => {
    const path = scratch.newPath();
    const tables = createSqliteMetricTables(scratch.open(path));
    await tables.add({ series, parts: new Map([[0, 3]]) });
    await tables.writeAmounts(subject, [amount], 1);
    expect(await createSqliteMetricTables(scratch.open(path)).amountsOf(subject)).toEqual([amount]);
    await tables.writeAmounts(subject, [], 2);
    expect(await tables.amountsOf(subject)).toEqual([]);
  });

  it("return what every subject contributes, in pages", async () => {
    const tables = createSqliteMetricTables(scratch.open(scratch.newPath()));
    await tables.inTransaction(async () => {
      for (let id = 0; id < 1_001; id += 1) await tables.writeAmounts({ ...subject, id: `job-${id}` }, [amount], 1);
    });
    let sum = 0;
    for await (const amounts of tables.contributions()) for (const one of amounts) sum += one.amount;
    expect(sum).toBe(3_003);
  });

  it("say which series are stored", async () => {
    const tables = createSqliteMetricTables(scratch.open(scratch.newPath()));
    const other = { ...series, labels: { cluster: "east", owner: "b" } };
    expect(await tables.lookUp([series, other])).toEqual({ stored: [], count: 0 });
    await tables.add({ series, parts: new Map([[0, 3]]) });
    expect(await tables.lookUp([series, other])).toEqual({ stored: [series], count: 1 });
  });

  it("have what a transaction has added, and nothing of one that failed", async () => {
    const tables = createSqliteMetricTables(scratch.open(scratch.newPath()));
    const latest = { ...series, kind: "latest" } as const;
    const addTwice = async () => {
      for (const by of [3, 4]) await tables.add({ series, parts: new Map([[0, by]]) });
      for (const at of [9, 8]) await tables.add({ series: { ...latest, family: 3 }, parts: new Map([[0, at]]) });
    };
    const sums = async () => (await tables.series()).map(({ numbers }) => numbers.get(0)?.sum);
    const failing = tables.inTransaction(async () => {
      await addTwice();
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await sums()).toEqual([]);
    await tables.inTransaction(async () => {
      await addTwice();
      expect(new Set(await sums())).toEqual(new Set([7, 9]));
      await addTwice();
    });
    expect(new Set(await sums())).toEqual(new Set([14, 9]));
  });

  it("leave a damaged row as it is, so that its damage is found", async () => {
    const path = scratch.newPath();
    const tables = createSqliteMetricTables(scratch.open(path));
    await tables.add({ series, parts: new Map([[0, 3]]) });
    await tables.writeAmounts(subject, [amount], 1);
    const sqlite = new DatabaseSync(path);
    sqlite.exec("UPDATE metric_values SET value = 4; UPDATE metric_subjects SET at = 2");
    sqlite.close();
    await tables.add({ series, parts: new Map([[0, 1]]) });
    await tables.writeAmounts(subject, [{ ...amount, amount: 4 }], 3);
    await tables.raise((stored) =>
      stored.map((one) => ({ ...one, numbers: new Map([[0, { sum: 4, base: 0, shown: 4 }]]) })),
    );
    const damaged = await findDamagedRows(scratch.open(path));
    expect(damaged.map(({ table }) => table)).toEqual(["metric_subjects", "metric_values"]);
  });

  it("do not raise what was shown while another process keeps the lock", async () => {
    const path = scratch.newPath();
    const tables = createSqliteMetricTables(scratch.open(path, { busyMillis: 0 }));
    await tables.add({ series, parts: new Map([[0, 3]]) });
    await scratch.open(path).inTransaction(async () => expect(await tables.raise((stored) => stored)).toBe(false));
    expect(await tables.raise((stored) => stored)).toBe(true);
  });
});
