import { describe, expect, it } from "vitest";
import type { ClusterFact } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { noteCluster, recordKeyOf, projectClusterFacts } from "../../../src/projection/project-cluster.ts";
import { SILENT_AFTER_MILLIS } from "../../../src/job/status/silence.ts";
import { RECENT_MS, watchClusters } from "../../../src/upkeep/sweep/watch-clusters.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const resourceVersion = decodeResourceVersion("1") ?? fail();
const retry = { attempts: 3, pause: async () => undefined };

function fail(): never {
  throw new Error("1 is a resourceVersion.");
}

async function told(name: string, facts: readonly ClusterFact[], meta = new MemoryMetaStore()) {
  const cluster = clusterNamed(name);
  await noteCluster(meta, cluster);
  for (const fact of facts) {
    await projectClusterFacts(meta, { record: recordKeyOf(cluster, fact), facts: [fact] }, retry);
  }
  return meta;
}

function beat(at: number): ClusterFact {
  return { kind: "ClusterObserved", epoch: 0, resourceVersion, at, serverVersion: "v1.36.3" };
}

function gap(gapId: string, from: number, to: number): ClusterFact {
  return {
    kind: "GapRecorded",
    epoch: 0,
    resourceVersion,
    at: to,
    gapId,
    from,
    to,
    resources: ["pods"],
    reason: "x",
  };
}

describe("the watch of clusters", () => {
  it.each([
    ["less than five minutes ago", SILENT_AFTER_MILLIS - 1, []],
    ["five minutes ago", SILENT_AFTER_MILLIS, ["east"]],
  ])("has a cluster with a heartbeat %s", async (_, ago, silent) => {
    const watch = await watchClusters(await told("east", [beat(NOON - ago)]), NOON);
    expect(watch.silent.map(({ cluster }) => cluster)).toEqual(silent);
  });

  it("has no imported cluster, and not the cluster of probes", async () => {
    const meta = await told("recording", []);
    await told("outlive-doctor", [beat(NOON - 10 * SILENT_AFTER_MILLIS)], meta);
    expect((await watchClusters(meta, NOON)).silent).toEqual([]);
  });

  it("does not report the cluster of a recording as silent", async () => {
    const end: ClusterFact = {
      kind: "ClusterObserved",
      epoch: 0,
      resourceVersion,
      at: NOON - 10 * SILENT_AFTER_MILLIS,
    };
    expect((await watchClusters(await told("east", [end]), NOON)).silent).toEqual([]);
  });

  it("has the gaps that ended within the last hour", async () => {
    const facts = [
      beat(NOON),
      gap("old", NOON - 3 * RECENT_MS, NOON - RECENT_MS),
      gap("recent", NOON - 3 * RECENT_MS, NOON - RECENT_MS + 1),
    ];
    const { gaps } = await watchClusters(await told("east", facts), NOON);
    expect(gaps.map(({ gap: { gapId } }) => gapId)).toEqual(["recent"]);
  });
});
