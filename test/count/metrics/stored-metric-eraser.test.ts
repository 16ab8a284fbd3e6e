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

const contribute = (id: string, ...amounts: readonly Amount[]) =>
  metrics.contribute({ cluster, id }, { at: 1, amounts });
const forget = async (id: string): Promise<void> => {
  await eraser().forget(cluster, id);
  await eraser().relabel(aliased);
};

describe("series that get other labels", () => {
  it("keep what removed subjects contributed, added to the sums of equal labels", async () => {
    await contribute("a", amount("counter", "secret", 3));
    await contribute("b", amount("counter", "other", 4));
    await metrics.show();
    await forget("a");
    expect(await numbers()).toEqual({ "counter erased": 3, "counter other": 4 });
    await contribute("c", amount("counter", "secret", 2));
    await metrics.show();
    await forget("c");
    expect(await numbers()).toEqual({ "counter erased": 5, "counter other": 4 });
  });

  it("leave what other subjects contribute, now and later", async () => {
    await contribute("a", amount("gauge", "secret", 1), amount("counter", "secret", 3));
    await contribute("newer", amount("gauge", "secret", 1), amount("counter", "secret", 2));
    await metrics.show();
    for (let time = 0; time < 2; time += 1) await forget("a");
    expect(await numbers()).toEqual({ "gauge secret": 1, "counter secret": 2, "counter erased": 3 });
    await contribute("newer", amount("counter", "secret", 4));
    expect(await numbers()).toEqual({ "gauge secret": 0, "counter secret": 4, "counter erased": 3 });
  });

  it("keep each bucket without those below it", async () => {
    const one = amount("counter", "secret", 1);
    await contribute("a", one, { ...one, part: 3 });
    await contribute("newer", one, { ...one, part: 2 });
    await metrics.show();
    await forget("a");
    const shown = await metrics.show();
    const parts = (namespace: string) => shown.find(({ labels }) => labels["namespace"] === namespace)?.parts;
    expect(Object.fromEntries(parts("secret") ?? [])).toEqual({ 0: 1, 2: 1 });
    expect(Object.fromEntries(parts("erased") ?? [])).toEqual({ 0: 1, 3: 1 });
  });

  it("get what an earlier release left in sums without a subject", async () => {
    await contribute("a", amount("counter", "secret", 3));
    await contribute("newer", amount("counter", "secret", 2));
    await createSqliteMetricTables(database).removeSubject({ cluster, id: "a" });
    await eraser().relabel(aliased);
    expect(await numbers()).toEqual({ "counter secret": 2, "counter erased": 3 });
  });

  it("have the later of two instants", async () => {
    await contribute("a", amount("latest", "erased", 7));
    await contribute("b", amount("latest", "secret", 5));
    await contribute("newer", amount("latest", "secret", 3));
    await forget("b");
    expect(await numbers()).toEqual({ "latest erased": 7, "latest secret": 3 });
  });
});
