import { describe, expect, it } from "vitest";
import type { ClusterFact, EventHinted } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { listRecords } from "../../../src/ports/list-records.ts";
import { gapKey, hintsKey, nodeKey, ofCluster } from "../../../src/ports/meta-key.ts";
import { hintRecord } from "../../../src/ports/records/hint-record.ts";
import { withArchivedFacts } from "../../../src/query/job/with-archived-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const cluster = clusterNamed("east");
const target = { kind: "Pod", namespace: "shop", name: "report-x" } as const;
const order = { epoch: 0, resourceVersion: decodeResourceVersion("1") ?? fail(), at: 5 };

function fail(): never {
  throw new Error("1 is a resourceVersion.");
}

function hint(hintId: string): EventHinted {
  return { ...order, kind: "EventHinted", hintId, target, reason: "Killing", count: 1, firstAt: 5, lastAt: 5 };
}

const gap: ClusterFact = {
  ...order,
  kind: "GapRecorded",
  gapId: "g",
  from: 1,
  to: 2,
  resources: ["jobs"],
  reason: "restart",
};

describe("records with archived facts", () => {
  it("have the hints of both, each once", async () => {
    const meta = new MemoryMetaStore();
    const key = hintsKey(cluster, target);
    await meta.write("hints", key, { value: hintRecord.encode({ hints: [hint("a")] }), expected: 0 });
    const joined = withArchivedFacts(meta, { cluster, around: [hint("a"), hint("b")] });
    const record = await joined.read("hints", key);
    expect(record && hintRecord.decode(record).hints.map(({ hintId }) => hintId)).toEqual(["a", "b"]);
  });

  it("list archived gaps and hints whose own records have expired", async () => {
    const joined = withArchivedFacts(new MemoryMetaStore(), { cluster, around: [gap, hint("a")] });
    const keys: string[] = [];
    for await (const { key } of listRecords(joined, "gap", { prefix: ofCluster(cluster) })) keys.push(key);
    for await (const { key } of listRecords(joined, "hints", { prefix: ofCluster(cluster) })) keys.push(key);
    expect(keys).toEqual([gapKey(cluster, "g"), hintsKey(cluster, target)]);
  });

  it("are read in pages", async () => {
    const others = ["h", "i", "j"].map((gapId): ClusterFact => ({ ...gap, gapId }));
    const joined = withArchivedFacts(new MemoryMetaStore(), { cluster, around: others });
    const first = await joined.list("gap", { prefix: ofCluster(cluster), limit: 2 });
    expect(first.records.map(({ key }) => key)).toEqual([gapKey(cluster, "h"), gapKey(cluster, "i")]);
    const rest = { prefix: ofCluster(cluster), limit: 2, ...(first.next !== undefined && { after: first.next }) };
    expect((await joined.list("gap", rest)).records.map(({ key }) => key)).toEqual([gapKey(cluster, "j")]);
  });

  it("are otherwise those of the store", async () => {
    const meta = new MemoryMetaStore();
    const joined = withArchivedFacts(meta, { cluster, around: [] });
    await joined.write("node", nodeKey(cluster, "n"), { value: "{}", expected: 0 });
    expect(await joined.read("node", nodeKey(cluster, "n"))).toMatchObject({ value: "{}" });
    expect((await joined.list("node", { prefix: "", limit: 5 })).records).toHaveLength(1);
  });
});
