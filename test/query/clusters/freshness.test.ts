import { describe, expect, it } from "vitest";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";
import { projectClusterFacts, recordKeyOf } from "../../../src/projection/project-cluster.ts";
import { markStale } from "../../../src/query/clusters/freshness.ts";
import { SILENT_AFTER_MILLIS } from "../../../src/job/status/silence.ts";
import { clusterOf, listedJob } from "../../support/story/listed-job.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const HEARD_AT = Date.UTC(2026, 10, 21, 12);

async function heardOf(at: number): Promise<MemoryMetaStore> {
  const meta = new MemoryMetaStore();
  const resourceVersion = decodeResourceVersion("9");
  if (resourceVersion === undefined) throw new Error("9 is a resourceVersion");
  const fact = { kind: "ClusterObserved", epoch: 0, resourceVersion, at, serverVersion: "v1.36.3" } as const;
  await projectClusterFacts(
    meta,
    { record: recordKeyOf(clusterOf("east"), fact), facts: [fact] },
    {
      attempts: 1,
      pause: async () => {},
    },
  );
  return meta;
}

const running = {
  ...listedJob({ cluster: "east", verdict: { state: "Running", final: false, basis: "both" } }),
  asOf: { time: formatInstant(HEARD_AT - 60_000) },
};
const complete = { ...running, verdict: { state: "Complete", final: true, basis: "both" } as const };

describe("an answer of a list", () => {
  it("is stale if its cluster has been silent and the Job may still change", async () => {
    const [marked] = await markStale(await heardOf(HEARD_AT), [running], HEARD_AT + SILENT_AFTER_MILLIS);
    expect(marked?.completeness).toEqual({ level: "stale", gaps: [], heardAt: formatInstant(HEARD_AT) });
  });

  it.each([
    ["the cluster was heard of a moment ago", running, SILENT_AFTER_MILLIS - 1],
    ["the verdict is final", complete, 365 * 86_400_000],
  ])("is left as it is if %s", async (_, answer, after) => {
    expect(await markStale(await heardOf(HEARD_AT), [answer], HEARD_AT + after)).toEqual([answer]);
  });

  it.each([
    ["has ended", { total: 2, complete: 2, running: 0 }, "observed", "complete"],
    ["goes on", { total: 2, complete: 1, running: 1 }, "observed", "stale"],
    ["has ended, and has a parent that may start them again", { total: 2, complete: 2, running: 0 }, "both", "stale"],
  ] as const)("about a run whose every known Job %s", async (_, counts, basis, level) => {
    const jobs = { failed: 0, waiting: 0, deleted: 0, unknown: 0, ...counts };
    const run = { ...running, verdict: { state: "Complete", final: false, basis }, jobs };
    const [marked] = await markStale(await heardOf(HEARD_AT), [run], HEARD_AT + SILENT_AFTER_MILLIS);
    expect(marked?.completeness.level).toBe(level);
  });

  it("counts from the Job's own last fact if the cluster never sent a heartbeat", async () => {
    const [marked] = await markStale(new MemoryMetaStore(), [running], HEARD_AT + SILENT_AFTER_MILLIS);
    expect(marked?.completeness.heardAt).toBe(running.asOf.time);
  });
});
