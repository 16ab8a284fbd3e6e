import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Amount, Labels, MetricStore, Series } from "../../../src/ports/metric-store.ts";
import { type Database, openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { storedMetricEraser } from "../../../src/count/metrics/stored-metric-eraser.ts";
import { StoredMetrics } from "../../../src/count/metrics/stored-metrics.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteMetricTables } from "../../../src/adapters/sqlite/sqlite-metric-tables.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const cluster = clusterNamed("east");
let database: Database;
let metrics: MetricStore;
beforeEach(() => {
  database = openDatabase(":memory:");
  metrics = new StoredMetrics(createSqliteMetricTables(database), { maxSeries: 100 });
});
afterEach(() => database.close());

const eraser = () => storedMetricEraser(createSqliteMetricTables(database), createSqliteMetaStore(database));

function amount(kind: Series["kind"], namespace: string, value: number): Amount {
  return { series: { family: kind === "gauge" ? 1 : 2, kind, labels: { cluster, namespace } }, part: 0, amount: value };
}

async function numbers(): Promise<Readonly<Record<string, number>>> {
  const shown = await metrics.show();
  return Object.fromEntries(
    shown.map(({ kind, labels, parts }) => [`${kind} ${labels["namespace"] ?? ""}`, parts.get(0) ?? 0]),
  );
}

const aliased = (labels: Labels): Labels | undefined =>
  labels["namespace"] === "secret" ? { ...labels, namespace: "erased" } : undefined;

describe("a subject that is forgotten", () => {
  it("is in no gauge any more, and counted for ever", async () => {
    await metrics.contribute(
      { cluster, id: "a" },
      { at: 1, amounts: [amount("gauge", "n", 1), amount("counter", "n", 1)] },
    );
    await metrics.contribute(
      { cluster, id: "b" },
      { at: 1, amounts: [amount("gauge", "n", 1), amount("counter", "n", 1)] },
    );
    await eraser().forget(cluster, "a");
    await eraser().forget(cluster, "a");
    expect(await numbers()).toEqual({ "gauge n": 1, "counter n": 2 });
    expect(await eraser().subjects(cluster)).toEqual(["b"]);
  });
});

describe("series that get other labels", () => {
  it("keep their sums, added to those of equal labels", async () => {
    await metrics.contribute({ cluster, id: "a" }, { at: 1, amounts: [amount("counter", "secret", 3)] });
    await metrics.contribute({ cluster, id: "b" }, { at: 1, amounts: [amount("counter", "other", 4)] });
    await metrics.show();
    await eraser().relabel(aliased);
    expect(await numbers()).toEqual({ "counter erased": 3, "counter other": 4 });
    await metrics.contribute({ cluster, id: "c" }, { at: 2, amounts: [amount("counter", "secret", 2)] });
    await metrics.show();
    await eraser().relabel(aliased);
    expect(await numbers()).toEqual({ "counter erased": 5, "counter other": 4 });
  });

  it("have the later of two instants", async () => {
    for (const [id, at] of [
      ["a", 7],
      ["b", 5],
    ] as const) {
      await metrics.contribute(
        { cluster, id },
        { at, amounts: [amount("latest", id === "a" ? "erased" : "secret", at)] },
      );
    }
    await eraser().relabel(aliased);
    expect(await numbers()).toEqual({ "latest erased": 7 });
  });
});
