import { describe, expect, it } from "vitest";
import { PROBE_CLUSTER } from "../../../src/ports/deployment/limits.ts";
import {
  clusterNames,
  isKnownCluster,
  listClusters,
  listHeartbeats,
  namespacesOf,
} from "../../../src/query/clusters/clusters.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { clusterOf, listedJob, storesWith } from "../../support/story/listed-job.ts";

const east = clusterOf("east");
const west = clusterOf("west");
const scope: Scope = { grants: [{ cluster: "east", namespaces: ["batch"] }] };

async function meta() {
  const stores = await storesWith([
    listedJob(),
    listedJob({ uid: "uid-2", namespace: "reports" }),
    listedJob({ uid: "uid-3", cluster: "west" }),
    listedJob({ uid: "uid-4", cluster: PROBE_CLUSTER }),
  ]);
  return stores.meta;
}

describe("the clusters of a stage", () => {
  it("are listed by name, without the artificial cluster of outlive doctor", async () => {
    expect(await clusterNames(await meta(), "everything")).toEqual([east, west]);
    expect(await clusterNames(await meta(), "everything", west)).toEqual([west]);
  });

  it("are limited to those of the reader's scope", async () => {
    expect(await listClusters(await meta(), scope)).toEqual([{ name: "east", namespaces: ["batch"] }]);
    expect(await clusterNames(await meta(), scope, west)).toEqual([]);
    expect(await namespacesOf(await meta(), "everything", east)).toEqual(["batch", "reports"]);
  });

  it("have heartbeats, limited alike", async () => {
    expect(await listHeartbeats(await meta(), "everything")).toEqual([{ name: "east" }, { name: "west" }]);
    expect(await listHeartbeats(await meta(), scope)).toEqual([{ name: "east" }]);
  });

  it.each<[string, Scope, boolean]>([
    ["east", "everything", true],
    ["east", scope, true],
    ["west", scope, false],
    ["north", "everything", false],
  ])("include %s for scope %j: %s", async (cluster, of, known) => {
    expect(await isKnownCluster(await meta(), of, clusterOf(cluster))).toBe(known);
  });
});
