import { describe, expect, it } from "vitest";
import type { Fact, Stamp } from "../../../src/job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { Inventory } from "../../../src/kubernetes/watch/inventory.ts";
import { added, evictionRequest, factsOf } from "../../support/kubernetes/watch-objects.ts";

const resourceVersion = decodeResourceVersion("9") ?? expect.fail("9 is a resourceVersion.");
const STAMP: Stamp = { epoch: 0, resourceVersion, at: 5 };
const job = (uid: string): JobUid => decodeJobUid(uid) ?? expect.fail(uid);
const pod = (uid: string): PodUid => decodePodUid(uid) ?? expect.fail(uid);

function node(name: string): Fact {
  return { ...STAMP, kind: "NodeObserved", node: name, nodeUid: `uid-${name}`, ready: "True", since: 1 };
}

describe("an inventory", () => {
  it("reports known Jobs and Pods that a list lacks as vanished, once", () => {
    const inventory = new Inventory();
    inventory.addJob(job("j1"));
    inventory.addJob(job("j2"));
    inventory.addPod(pod("p1"), job("j1"));
    expect(inventory.missing("jobs", new Set(["j2"]), STAMP)).toEqual([
      { ...STAMP, kind: "JobVanished", jobUid: "j1" },
    ]);
    expect(inventory.missing("jobs", new Set(["j2"]), STAMP)).toEqual([]);
    expect(inventory.missing("pods", new Set(), STAMP)).toEqual([
      { ...STAMP, kind: "PodVanished", jobUid: "j1", podUid: "p1" },
    ]);
  });

  it("reports a vanished Pod for each of its Jobs", () => {
    const inventory = new Inventory();
    inventory.addPod(pod("p1"), job("j1"));
    inventory.addPod(pod("p1"), job("j2"));
    inventory.addPod(pod("p1"), job("j1"));
    const vanished = inventory.missing("pods", new Set(), STAMP);
    expect(vanished.map((fact) => "jobUid" in fact && fact.jobUid)).toEqual(["j1", "j2"]);
  });

  it("reports a Node that a list lacks as deleted, with its name", () => {
    const inventory = new Inventory();
    inventory.remember([node("a"), node("b")]);
    expect(inventory.missing("nodes", new Set(["uid-b"]), STAMP)).toEqual([
      { ...STAMP, kind: "NodeDeleted", node: "a", nodeUid: "uid-a" },
    ]);
  });

  it("reports an EvictionRequest that a list lacks as deleted, once, and no Eviction", () => {
    const inventory = new Inventory();
    const [fact = expect.fail()] = factsOf(added(evictionRequest()));
    inventory.remember([fact]);
    expect(inventory.missing("evictions.lifecycle.k8s.io", new Set(), STAMP)).toEqual([]);
    expect(inventory.missing("evictionrequests.lifecycle.k8s.io", new Set(), STAMP)).toEqual([
      { ...fact, ...STAMP, deleted: true },
    ]);
    expect(inventory.missing("evictionrequests.lifecycle.k8s.io", new Set(), STAMP)).toEqual([]);
  });

  it("does not report objects whose deletion was observed", () => {
    const inventory = new Inventory();
    inventory.addPod(pod("p1"), job("j1"));
    inventory.remember([node("a"), { ...STAMP, kind: "NodeDeleted", node: "a", nodeUid: "uid-a" }]);
    inventory.remember([{ ...STAMP, kind: "PodDeleted", jobUid: job("j1"), podUid: pod("p1"), tracked: false }]);
    expect(inventory.missing("nodes", new Set(), STAMP)).toEqual([]);
    expect(inventory.missing("pods", new Set(), STAMP)).toEqual([]);
    expect(inventory.hasPod(pod("p1"))).toBe(false);
  });
});
