import { beforeEach, describe, expect, it } from "vitest";
import { createMetricEraser } from "../../../../src/count/metrics/sums/metric-eraser.ts";
import { readParts, writePart } from "../../../../src/count/metrics/sums/metric-parts.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import { applyUsage, listUsage } from "../../../../src/count/usage/usage-sums.ts";
import { UsageTable } from "../../../../src/count/usage/usage-table.ts";
import { metricsKey } from "../../../../src/ports/meta-key.ts";
import type { Labels, Series } from "../../../../src/ports/metric-store.ts";
import { noteCluster } from "../../../../src/projection/project-cluster.ts";
import type { ApiStores } from "../../../../src/http/create-api.ts";
import { storedContribution } from "../../../../src/count/metrics/sums/stored-contribution.ts";
import { EIGHT, endedJob, startedJob } from "../../../support/archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { usageOf } from "../../../support/facts/usage-of.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../../support/stores/memory-log.ts";
import { storesOver, tell } from "../../../support/stores/stores-with-facts.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { SumsConflictError } from "../../../../src/count/metrics/sums/sums-errors.ts";

const east = clusterNamed("east");
let meta: MemoryMetaStore;
let stores: ApiStores;
beforeEach(async () => {
  meta = new MemoryMetaStore();
  stores = storesOver({ jobs: new MemoryJobStore(), meta, log: new MemoryLog() });
  await noteCluster(meta, east);
});

function seriesOf(namespace: string, kind: Series["kind"] = "counter"): Series {
  return { family: kind === "counter" ? 2 : kind === "gauge" ? 1 : 9, kind, labels: { cluster: "east", namespace } };
}

async function store(part: number, amounts: readonly (readonly [Series, number])[]): Promise<void> {
  const table = new MetricTable();
  for (const [series, amount] of amounts) table.add({ series, parts: new Map([[0, amount]]) });
  table.raised();
  const stored = (await readParts({ meta, projection: "A", cluster: east }))[part];
  await writePart(meta, { key: metricsKey(east, "A", part), table, round: 3, version: stored?.version ?? 0 });
}

const shown = async () =>
  (await readParts({ meta, projection: "A", cluster: east })).map(({ table, round }) => [
    round,
    ...table.shown().map(({ labels, kind, parts }) => `${kind} ${labels["namespace"]} ${parts.get(0)}`),
  ]);

const eraser = (settle = async () => {}) => createMetricEraser({ meta, projections: stores.projections, settle });

const change = (labels: Labels) =>
  labels["namespace"]?.startsWith("secret") === true ? { ...labels, namespace: "erased:1" } : undefined;

const RUNNING = {
  ...seriesOf("secret", "gauge"),
  labels: { cluster: "east", namespace: "secret", state: "Running" },
};
const jobs = () => stores.projections.open("A");
const newer = () => startedJob({ name: "newer", namespace: "secret", createdAt: EIGHT });

/** What the Job contributes now, added to what erased Jobs have contributed. */
async function count(erased: readonly (readonly [Series, number])[]): Promise<void> {
  const stored = await jobs().read({ cluster: east, jobUid: jobUid("newer") });
  const own = stored && storedContribution(jobUid("newer"), stored);
  const sums = new MetricTable();
  for (const { series, part, amount } of own?.amounts ?? []) sums.add({ series, parts: new Map([[part, amount]]) });
  for (const [series, amount] of erased) sums.add({ series, parts: new Map([[0, amount]]) });
  sums.raised();
  const [known] = await readParts({ meta, projection: "A", cluster: east });
  await writePart(meta, { key: metricsKey(east, "A", 0), table: sums, round: 4, version: known?.version ?? 0 });
}

const numbers = async (family: number) =>
  (await readParts({ meta, projection: "A", cluster: east })).flatMap(({ table }) =>
    table
      .shown()
      .filter((series) => series.family === family)
      .map(({ labels, parts }) => [labels["namespace"], Object.fromEntries(parts)]),
  );

describe("the metrics of an erased namespace", () => {
  it("keep their numbers under another name, added up where names become equal", async () => {
    await store(0, [
      [seriesOf("secret-a"), 2],
      [seriesOf("secret-b"), 3],
      [seriesOf("secret-a", "latest"), 7],
      [seriesOf("secret-b", "latest"), 5],
      [seriesOf("others"), 4],
    ]);
    await eraser().relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 5", "counter others 4", "latest erased:1 7"]]);
  });

  it("are the same after a repetition", async () => {
    await store(0, [[seriesOf("secret-a"), 2]]);
    for (let time = 0; time < 2; time += 1) await eraser().relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 2"]]);
  });

  it("are renamed in the sums of usage too", async () => {
    const table = new UsageTable();
    for (const namespace of ["secret-a", "secret-b", "others"]) table.add(namespace, usageOf(1, { kept: 2 }));
    await applyUsage({ meta, projection: "A" }, 3, [{ cluster: east, day: "20260101", table }]);
    await eraser().relabel(change);
    const pods: [string, number][] = [];
    const range = { from: "20260101", to: "20260102" };
    for await (const { table: shownTable } of listUsage({ meta, projection: "A", cluster: east }, range)) {
      for (const [namespace, usage] of shownTable.usages()) pods.push([namespace, usage.pods]);
    }
    expect(Object.fromEntries(pods)).toEqual({ "erased:1": 2, others: 1 });
  });

  it("have a name for each part, so that no number moves between parts", async () => {
    await store(0, [[seriesOf("secret-a"), 2]]);
    await store(1, [[seriesOf("secret-b"), 3]]);
    await eraser().relabel(change);
    expect(await shown()).toEqual([
      [3, "counter erased:1 2"],
      [3, "counter erased:1.1 3"],
    ]);
  });

  it("leave parts without them unwritten", async () => {
    await store(0, [[seriesOf("others"), 2]]);
    await eraser().relabel(change);
    expect((await readParts({ meta, projection: "A", cluster: east })).map(({ version }) => version)).toEqual([1]);
  });

  it("are replaced once the count function has written its own", async () => {
    await store(0, [[seriesOf("secret-a"), 2]]);
    let conflicts = 2;
    const write = meta.write.bind(meta);
    meta.write = async (kind, key, record) => {
      conflicts -= 1;
      return conflicts >= 0 ? { outcome: "conflict" } : write(kind, key, record);
    };
    await eraser().relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 2"]]);
    meta.write = async () => ({ outcome: "conflict" });
    await expect(eraser().relabel((labels) => ({ ...labels, namespace: "other" }))).rejects.toThrow(SumsConflictError);
  });

  it("are of no subject: the count function forgets removed Jobs itself", async () => {
    expect(await eraser().subjects(east)).toEqual([]);
  });

  describe("in which a newer Job runs", () => {
    it("keep what it contributes under its own labels, and move the rest", async () => {
      await tell(stores, newer());
      const own = seriesOf("secret");
      await count([[own, 5]]);
      const before = await numbers(4);
      expect(before).toHaveLength(1);
      for (let time = 0; time < 2; time += 1) await eraser().relabel(change);
      expect(await numbers(1)).toEqual([["secret", { 0: 1 }]]);
      expect(await numbers(4)).toEqual(before);
      expect(await numbers(2)).toEqual([["erased:1", { 0: 5 }]]);
    });

    it("divide a counter to which both have contributed", async () => {
      await tell(stores, newer());
      await count([]);
      const [delay] = (await readParts({ meta, projection: "A", cluster: east }))
        .flatMap(({ table }) => table.stored())
        .filter(({ series }) => series.family === 4);
      if (delay === undefined) throw new Error("The Job has no start delay.");
      const before = await numbers(4);
      await count([[delay.series, 90_000]]);
      await eraser().relabel(change);
      const after = new Map((await numbers(4)).map(([namespace, parts]) => [namespace, parts]));
      expect(after.get("secret")).toEqual(before[0]?.[1]);
      expect(after.get("erased:1")).toMatchObject({ 0: 90_000 });
    });

    it("do not take a gauge from it that changes while its writes are counted", async () => {
      await tell(stores, newer());
      await count([]);
      await eraser(async () => {
        await tell(stores, endedJob({ name: "newer", namespace: "secret", createdAt: EIGHT }));
        await count([[RUNNING, 0]]);
      }).relabel(change);
      expect(await numbers(1)).toEqual([["secret", { 0: 0 }]]);
    });
  });
});
