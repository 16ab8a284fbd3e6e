import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import { batchGet, type JobWanted } from "../../../src/query/job/batch-get.ts";
import { clusterOf, listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const byName = (name: string, namespace = "batch"): JobWanted => ({ by: "name", namespace, name });
const byUid = (uid: string): JobWanted => ({ by: "uid", uid });

async function uidsOf(scope: Scope, cluster: string, wanted: readonly JobWanted[]) {
  const ports = await storesWith([
    listedJob({ uid: "old", createdAt: second(0) }),
    listedJob({ uid: "new", createdAt: second(60) }),
    listedJob({ uid: "secret", namespace: "payroll", name: "pay" }),
  ]);
  const { items, missing } = await batchGet(ports, scope, { cluster: clusterOf(cluster), wanted });
  return { uids: items.map(({ uid }) => uid), missing };
}

describe("a batch of Jobs", () => {
  it("has the newest Job of a name and the Job of a uid, in the order of the request", async () => {
    const wanted = [byUid("old"), byName("report"), byName("no-such"), byUid("no uid at all")];
    const missing = ["batch/no-such", "no uid at all"];
    expect(await uidsOf("everything", "east", wanted)).toEqual({ uids: ["old", "new"], missing });
  });

  it("has no Job outside of the scope, by name or by uid", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["batch"] }] };
    const wanted = [byUid("secret"), byName("pay", "payroll"), byUid("new")];
    expect(await uidsOf(scope, "east", wanted)).toEqual({ uids: ["new"], missing: ["secret", "payroll/pay"] });
  });

  it("has no Job of an unknown cluster", async () => {
    expect(await uidsOf("everything", "north", [byUid("new")])).toEqual({ uids: [], missing: ["new"] });
  });
});
