import { describe, expect, it } from "vitest";
import type { JobFact } from "../../../src/job/model/fact.ts";
import type { CronJobRecord } from "../../../src/job/model/cluster-context.ts";
import {
  CLUSTER_LAST_HEARD,
  CRON_JOB_LAST_SUCCESS,
  CRON_JOB_NEXT_RUN,
  JOBS,
} from "../../../src/count/metrics/metric-families.ts";
import { observedSeries } from "../../../src/count/metrics/observed-series.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { clusterRecord } from "../../../src/ports/records/cluster-record.ts";
import { cronJobRecord } from "../../../src/ports/records/cron-job-record.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { noteCluster } from "../../../src/projection/project-cluster.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { Story } from "../../support/story/story.ts";

const cluster = clusterNamed("east");

async function metaWith(...cronJobs: readonly CronJobRecord[]): Promise<MemoryMetaStore> {
  const meta = new MemoryMetaStore();
  await noteCluster(meta, cluster);
  for (const value of cronJobs) {
    await writeRecord(meta, cronJobRecord, { key: cronJobKey(cluster, value.cronJobUid), value, expected: 0 });
  }
  return meta;
}

/** A CronJob that is due every hour. */
function hourly(uid: string, { suspend = false, isDeleted = false } = {}): CronJobRecord {
  const story = new Story();
  story.cronJob(uid, { name: "nightly", namespace: "shop", schedule: "0 * * * *", suspend });
  if (isDeleted) story.cronJobDeleted(uid);
  return story.clusterContext.cronJobs?.get(uid) ?? { cronJobUid: uid };
}

const labels = { cluster: "east", namespace: "shop", cronjob: "nightly" };
const lastSuccess = { family: CRON_JOB_LAST_SUCCESS.number, kind: "latest", labels } as const;

describe("a cluster", () => {
  const story = new Story();
  story.jobCreated();
  const [{ epoch, resourceVersion }] = story.facts as [JobFact];
  const stamp = { kind: "ClusterObserved", epoch, resourceVersion, at: 90_000 } as const;

  it("has the instant of its last data", async () => {
    const meta = new MemoryMetaStore();
    const value = { observed: { ...stamp, serverVersion: "v1.36.3" } };
    await writeRecord(meta, clusterRecord, { key: cluster, value, expected: 0 });
    expect((await observedSeries(meta, 0)).series).toEqual([
      { family: CLUSTER_LAST_HEARD.number, kind: "gauge", labels: { cluster: "east" }, parts: new Map([[0, 90_000]]) },
    ]);
  });

  it("that was imported from a recording has none: a recording ends", async () => {
    const meta = new MemoryMetaStore();
    await writeRecord(meta, clusterRecord, { key: cluster, value: { observed: stamp }, expected: 0 });
    expect((await observedSeries(meta, 0)).series).toEqual([]);
  });
});

describe("a CronJob", () => {
  it("has its next run by its schedule", async () => {
    const now = new Story().second(60);
    const { series, isGone } = await observedSeries(await metaWith(hourly("a")), now);
    const next = new Story().second(3_600);
    expect(series).toEqual([{ family: CRON_JOB_NEXT_RUN.number, kind: "gauge", labels, parts: new Map([[0, next]]) }]);
    expect(isGone(lastSuccess)).toBe(false);
  });

  it("has no next run while it is suspended", async () => {
    const { series } = await observedSeries(await metaWith(hourly("a", { suspend: true })), new Story().second(60));
    expect(series).toEqual([]);
  });

  it("that was deleted shows no last success", async () => {
    const { series, isGone } = await observedSeries(await metaWith(hourly("a", { isDeleted: true })), 0);
    expect(series).toEqual([]);
    expect(isGone(lastSuccess)).toBe(true);
    expect(isGone({ ...lastSuccess, family: JOBS.number })).toBe(false);
  });

  it("that was created again shows it", async () => {
    const meta = await metaWith(hourly("a", { isDeleted: true }), hourly("b"));
    expect((await observedSeries(meta, 0)).isGone(lastSuccess)).toBe(false);
  });
});
