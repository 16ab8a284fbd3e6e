import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { StoredMetrics } from "../../../src/count/metrics/stored-metrics.ts";
import type { Amount, MetricStore, Series } from "../../../src/ports/metric-store.ts";
import { MIGRATIONS } from "../../../src/adapters/sqlite/migrations.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScratchDatabases } from "../../adapters/sqlite/scratch-databases.ts";

const scratch = new ScratchDatabases();
afterAll(() => scratch.clear());

const cluster = clusterNamed("east");
const seriesOf = (owner: string, kind: Series["kind"] = "counter", family = 2): Series => ({
  family,
  kind,
  labels: { cluster: "east", namespace: "shop", owner },
});
const one = (series: Series, amount = 1, part = 0): Amount => ({ series, part, amount });

function store(maxSeries = 100) {
  const path = scratch.newPath();
  const database = scratch.open(path);
  const metrics = new StoredMetrics(createSqliteMetricTables(database), { maxSeries });
  return { path, database, metrics };
}

function contribute(metrics: MetricStore, id: string, amounts: readonly Amount[], keep: readonly number[] = []) {
  return metrics.contribute({ cluster, id }, { amounts, keep, at: 1 });
}

async function shown(metrics: MetricStore): Promise<Readonly<Record<string, number | undefined>>> {
  const series = await metrics.show();
  return Object.fromEntries(series.map(({ labels, parts }) => [String(labels["owner"]), parts.get(0)] as const));
}

describe("a counter", () => {
  it("counts a subject once, however often it contributes", async () => {
    const { metrics } = store();
    for (const id of ["job-1", "job-1", "job-2", "job-1"]) await contribute(metrics, id, [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 2 });
  });

  it("never falls below what was shown, and rises again when its sum does", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 1 });
    await contribute(metrics, "job-1", [one(seriesOf("b"))]);
    expect(await shown(metrics)).toEqual({ a: 1, b: 1 });
    await contribute(metrics, "job-2", [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 1, b: 1 });
    await contribute(metrics, "job-3", [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 2, b: 1 });
  });

  it("moves without a trace if no scrape has shown it", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    await contribute(metrics, "job-1", [one(seriesOf("b"))]);
    expect(await shown(metrics)).toEqual({ a: 0, b: 1 });
  });

  it("keeps what a subject contributed to a family that it keeps", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", [one(seriesOf("found", "counter", 7)), one(seriesOf("a"))]);
    await contribute(metrics, "job-1", [], [7]);
    await contribute(metrics, "job-1", [one(seriesOf("found", "counter", 7))], [7]);
    expect(await shown(metrics)).toEqual({ a: 0, found: 1 });
  });
});

async function parts(metrics: MetricStore) {
  return [...((await metrics.show())[0]?.parts ?? [])];
}

describe("a histogram", () => {
  const delay = seriesOf("a", "counter", 4);
  const start = (bucket: number, millis: number) => [one(delay, millis), one(delay, 1, bucket)];

  it("counts an observation once that moves to a lower bucket, and lowers no bucket with those below it", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", start(4, 9_000));
    expect(await parts(metrics)).toEqual([
      [0, 9_000],
      [4, 1],
    ]);
    await contribute(metrics, "job-1", start(2, 2_000));
    const moved = [
      [0, 9_000],
      [2, 1],
      [4, 0],
    ];
    expect(await parts(metrics)).toEqual(moved);
    expect(await parts(metrics)).toEqual(moved);
    await contribute(metrics, "job-1", start(6, 10_000));
    expect(await parts(metrics)).toEqual([
      [0, 10_000],
      [2, 1],
      [4, 0],
      [6, 0],
    ]);
  });
});

describe("a gauge", () => {
  it("falls when its subjects contribute no more", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", [one(seriesOf("a", "gauge"))]);
    expect(await shown(metrics)).toEqual({ a: 1 });
    await contribute(metrics, "job-1", []);
    expect(await shown(metrics)).toEqual({ a: 0 });
  });
});

describe("a latest instant", () => {
  it("is the highest that any subject contributed", async () => {
    const { metrics } = store();
    await contribute(metrics, "job-1", [one(seriesOf("a", "latest"), 50)]);
    await contribute(metrics, "job-2", [one(seriesOf("a", "latest"), 40)]);
    await contribute(metrics, "job-1", [one(seriesOf("a", "latest"), 45)]);
    expect(await shown(metrics)).toEqual({ a: 50 });
  });
});

describe("series beyond the bound", () => {
  it("are summed as other, and a label set that was known keeps its own", async () => {
    const { metrics } = store(10);
    for (let n = 0; n < 30; n += 1) await contribute(metrics, `job-${n}`, [one(seriesOf(`owner-${n}`))]);
    await contribute(metrics, "again", [one(seriesOf("owner-0"))]);
    const all = await shown(metrics);
    expect(Object.keys(all)).toHaveLength(10);
    expect(all).toMatchObject({ "owner-0": 2, "owner-8": 1, other: 21 });
  });

  it("add up if one subject contributes to several of them", async () => {
    const { metrics } = store(1);
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    await contribute(metrics, "job-2", [one(seriesOf("b")), one(seriesOf("c"))]);
    expect(await shown(metrics)).toEqual({ a: 1, other: 2 });
  });
});

describe("a transaction that fails", () => {
  it("leaves neither a sum nor a series behind, and the next contribution counts", async () => {
    const { database, metrics } = store();
    const failed = database.inTransaction(async () => {
      await contribute(metrics, "job-1", [one(seriesOf("a"))]);
      throw new Error("killed");
    });
    await expect(failed).rejects.toThrow("killed");
    expect(await shown(metrics)).toEqual({});
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 1 });
  });
});

describe("another process", () => {
  it("shows the same, and what was shown there does not fall here", async () => {
    const { path, metrics } = store();
    const other = new StoredMetrics(createSqliteMetricTables(scratch.open(path)), { maxSeries: 100 });
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    expect(await shown(other)).toEqual({ a: 1 });
    await contribute(metrics, "job-1", []);
    expect(await shown(metrics)).toEqual({ a: 1 });
  });

  it("that holds the lock makes counters late, but not lower", async () => {
    const path = scratch.newPath();
    const metrics = new StoredMetrics(createSqliteMetricTables(scratch.open(path, { busyMillis: 0 })), {
      maxSeries: 100,
    });
    await contribute(metrics, "job-1", [one(seriesOf("a"))]);
    expect(await shown(metrics)).toEqual({ a: 1 });
    await contribute(metrics, "job-2", [one(seriesOf("a"))]);
    await scratch.open(path).inTransaction(async () => expect(await shown(metrics)).toEqual({ a: 1 }));
    expect(await shown(metrics)).toEqual({ a: 2 });
  });
});

describe("a database of a release without metrics", () => {
  it("has Jobs that must be counted once", async () => {
    const path = scratch.newPath();
    const earlier = new DatabaseSync(path);
    earlier.exec(`${MIGRATIONS.slice(0, 3).join(";")};
      INSERT INTO jobs_a (cluster, job_uid, version, bytes) VALUES ('east', 'job-1', 1, x'00');
      PRAGMA application_id = 0x4f55544c; PRAGMA user_version = 3`);
    earlier.close();
    const metrics = new StoredMetrics(createSqliteMetricTables(scratch.open(path)), { maxSeries: 100 });
    expect(await metrics.isBehind()).toBe(true);
    await metrics.caughtUp();
    expect(await metrics.isBehind()).toBe(false);
  });
});

describe("a new database", () => {
  it("has no Jobs that must be counted once", async () => {
    const { metrics } = store();
    expect(await metrics.isBehind()).toBe(false);
    await metrics.caughtUp();
    expect(await metrics.isBehind()).toBe(false);
  });
});
