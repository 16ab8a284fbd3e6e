import { beforeEach, describe, expect, it } from "vitest";
import { createMetricEraser } from "../../../../src/count/metrics/sums/metric-eraser.ts";
import { readParts, writePart } from "../../../../src/count/metrics/sums/metric-parts.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import { metricsKey } from "../../../../src/ports/meta-key.ts";
import type { Labels, Series } from "../../../../src/ports/metric-store.ts";
import { noteCluster } from "../../../../src/projection/project-cluster.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { SumsConflictError } from "../../../../src/count/metrics/sums/sums-errors.ts";

const east = clusterNamed("east");
let meta: MemoryMetaStore;
beforeEach(async () => {
  meta = new MemoryMetaStore();
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

const change = (labels: Labels) =>
  labels["namespace"]?.startsWith("secret") === true ? { ...labels, namespace: "erased:1" } : undefined;

describe("the metrics of an erased namespace", () => {
  it("keep their numbers under another name, added up where names become equal", async () => {
    await store(0, [
      [seriesOf("secret-a"), 2],
      [seriesOf("secret-b"), 3],
      [seriesOf("secret-a", "latest"), 7],
      [seriesOf("secret-b", "latest"), 5],
      [seriesOf("others"), 4],
    ]);
    await createMetricEraser(meta).relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 5", "counter others 4", "latest erased:1 7"]]);
  });

  it("are the same after a repetition", async () => {
    await store(0, [[seriesOf("secret-a"), 2]]);
    for (let time = 0; time < 2; time += 1) await createMetricEraser(meta).relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 2"]]);
  });

  it("have a name for each part, so that no number moves between parts", async () => {
    await store(0, [[seriesOf("secret-a"), 2]]);
    await store(1, [[seriesOf("secret-b"), 3]]);
    await createMetricEraser(meta).relabel(change);
    expect(await shown()).toEqual([
      [3, "counter erased:1 2"],
      [3, "counter erased:1.1 3"],
    ]);
  });

  it("leave parts without them unwritten", async () => {
    await store(0, [[seriesOf("others"), 2]]);
    await createMetricEraser(meta).relabel(change);
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
    await createMetricEraser(meta).relabel(change);
    expect(await shown()).toEqual([[3, "counter erased:1 2"]]);
    meta.write = async () => ({ outcome: "conflict" });
    await expect(createMetricEraser(meta).relabel((labels) => ({ ...labels, namespace: "other" }))).rejects.toThrow(
      SumsConflictError,
    );
  });

  it("are of no subject: the count function forgets removed Jobs itself", async () => {
    expect(await createMetricEraser(meta).subjects(east)).toEqual([]);
  });
});
