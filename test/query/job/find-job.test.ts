import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import { findJob } from "../../../src/query/job/find-job.ts";
import { clusterOf, listedJob, second, storesWith } from "../../support/story/listed-job.ts";

async function find(wanted: { cluster?: string; namespace?: string; name?: string; uid?: string }, scope: Scope) {
  const ports = await storesWith([
    listedJob({ uid: "old", createdAt: second(0) }),
    listedJob({ uid: "new", createdAt: second(60) }),
    listedJob({ uid: "secret", namespace: "payroll", name: "pay" }),
  ]);
  const { cluster = "east", namespace = "batch", name = "report", uid } = wanted;
  return findJob(ports, scope, { cluster: clusterOf(cluster), namespace, name, uid });
}

const batchOnly: Scope = { grants: [{ cluster: "east", namespaces: ["batch"] }] };

describe("a Job by its name", () => {
  it("is the newest of its generations, or the one with the uid", async () => {
    expect(await find({}, "everything")).toMatchObject({ outcome: "found", jobUid: "new" });
    expect(await find({ uid: "old" }, "everything")).toMatchObject({ outcome: "found", jobUid: "old" });
  });

  it("is unknown with the uid of another name, and its generations are listed", async () => {
    const found = await find({ uid: "secret" }, "everything");
    expect(found).toMatchObject({ outcome: "unknownJob", generations: [{ uid: "new" }, { uid: "old" }] });
  });

  it("is suggested by similar names and by other namespaces", async () => {
    expect(await find({ name: "reprot" }, "everything")).toMatchObject({ near: ["report"], elsewhere: [] });
    expect(await find({ name: "pay" }, "everything")).toMatchObject({ elsewhere: ["payroll"] });
  });

  it("is not suggested to who asks for a uid", async () => {
    expect(await find({ name: "reprot", uid: "nobody" }, "everything")).toMatchObject({ near: [], elsewhere: [] });
  });

  it("is neither found nor suggested outside of the scope", async () => {
    const unknown = { outcome: "unknownJob", near: [], elsewhere: [], generations: [] };
    expect(await find({ namespace: "payroll", name: "pay" }, batchOnly)).toEqual(unknown);
    expect(await find({ name: "pay" }, batchOnly)).toMatchObject({ elsewhere: [] });
  });

  it("of an unknown cluster is answered with the clusters of the scope", async () => {
    expect(await find({ cluster: "west" }, batchOnly)).toEqual({ outcome: "unknownCluster", near: ["east"] });
  });
});
