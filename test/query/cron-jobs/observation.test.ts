import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { gapKey } from "../../../src/ports/meta-key.ts";
import { observationOf } from "../../../src/query/cron-jobs/observation.ts";
import { clusterOf, storesWith } from "../../support/story/listed-job.ts";

const stamp = { epoch: 0, resourceVersion: 1, at: 500 };

describe("the observation of a cluster", () => {
  it("lasts until its last heartbeat, and has its gaps", async () => {
    const { meta } = await storesWith([]);
    const [cluster, now] = [clusterOf("west"), 1_000];
    const gap = { ...stamp, kind: "GapRecorded", gapId: "g1", from: 100, to: 200, resources: ["jobs"], reason: "410" };
    const observed = { ...stamp, kind: "ClusterObserved" };
    await meta.write("cluster", cluster, { value: canonical({ observed }), expected: 0 });
    await meta.write("gap", gapKey(cluster, "g1"), { value: canonical(gap), expected: 0 });
    expect(await observationOf(meta, cluster, now)).toEqual({ heardAt: 500, gaps: [gap], now });
  });

  it("has not begun without a heartbeat", async () => {
    const { meta } = await storesWith([]);
    expect(await observationOf(meta, clusterOf("west"), 1_000)).toEqual({ heardAt: -Infinity, gaps: [], now: 1_000 });
  });
});
