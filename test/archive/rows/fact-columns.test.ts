import { describe, expect, it } from "vitest";
import { factRow } from "../../../src/archive/rows/fact-columns.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { EIGHT, endedJob, podUidOf } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const place = { cluster: clusterNamed("east"), segment: "s", revision: 7 };
const facts = endedJob({ name: "report", createdAt: EIGHT });
const [created] = facts;
const stamp = { epoch: created?.epoch ?? 0, resourceVersion: facts[0]?.resourceVersion, at: EIGHT };

function rowOf(kind: Fact["kind"]) {
  const fact = facts.find((one) => one.kind === kind);
  return fact && factRow({ ...place, fact });
}

describe("the row of a fact", () => {
  it("has the whole fact as JSON, and when it happened", () => {
    const row = rowOf("JobCreated");
    expect(row).toMatchObject({
      cluster: "east",
      kind: "JobCreated",
      namespace: "shop",
      name: "report",
      job_uid: "report",
    });
    expect(row).toMatchObject({ time: EIGHT, segment: "s", revision: 7 });
    expect(JSON.parse(String(row?.["fact"]))).toEqual(created);
  });

  it("has the uid of its Pod, and no Node as its name", () => {
    const row = rowOf("PodScheduled");
    expect(row).toMatchObject({ pod_uid: podUidOf("report"), job_uid: "report" });
    expect(row).not.toHaveProperty("name");
  });

  it("has the name of its Node if it is about a Node", () => {
    const fact = { ...stamp, kind: "NodeDeleted", node: "node-1", nodeUid: "u" } as Fact;
    expect(factRow({ ...place, fact })).toMatchObject({ name: "node-1" });
  });

  it("has the object that a hint is about", () => {
    const target = { kind: "Pod", namespace: "shop", name: "report-x" } as const;
    const hint = {
      kind: "RequestHinted",
      hintId: "h",
      target,
      verb: "delete",
      user: "u",
      code: 200,
      requestedAt: EIGHT,
    };
    const fact = { ...stamp, ...hint } as Fact;
    expect(factRow({ ...place, fact })).toMatchObject({ namespace: "shop", name: "report-x", time: EIGHT });
  });
});
