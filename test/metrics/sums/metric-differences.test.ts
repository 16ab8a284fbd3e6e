import { describe, expect, it } from "vitest";
import { ATTEMPTS, JOBS, JOBS_FINISHED } from "../../../src/metrics/metric-families.ts";
import { MetricDifferences } from "../../../src/metrics/sums/metric-differences.ts";
import { jobUid } from "../../support/facts/names.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { StreamedJobStore } from "../../support/stores/streamed-job-store.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { storesOver, tell } from "../../support/stores/stores-with-facts.ts";
import { clusterOf } from "../../support/story/listed-job.ts";

const EAST = clusterOf("east");
const NOW = Date.parse("2026-01-01T00:00:00Z");

/** The first `events` events of a failing Job, and perhaps its removal, as differences. */
async function differences(
  events: number,
  { isRemoved = false, isShown = true, since = 0, cluster = "east" } = {},
): Promise<Readonly<Record<string, number>>> {
  const jobs = new StreamedJobStore(() => NOW, 1);
  const stores = storesOver({ jobs, meta: new MemoryMetaStore(), log: new MemoryLog() });
  for (const facts of failingJob().slice(0, events)) await tell(stores, facts, { cluster });
  if (isRemoved) await jobs.remove({ cluster: clusterOf(cluster), jobUid: jobUid("charge") });
  const into = new MetricDifferences({ since, isShown });
  await jobs.deliver(async ({ writes }) => {
    for (const write of writes) into.add(write);
  });
  return byName(into);
}

/** By the number of the family, and the state or outcome. */
function byName(differences: MetricDifferences): Readonly<Record<string, number>> {
  const changed = differences.clusters().get(EAST)?.changed() ?? [];
  return Object.fromEntries(
    changed.map(({ series: { family, labels }, parts }) => [
      `${family} ${labels["state"] ?? labels["outcome"] ?? ""}`,
      parts.get(0) ?? 0,
    ]),
  );
}

describe("what writes change in the metrics", () => {
  it("is the difference between the Job before and after them", async () => {
    expect(await differences(1)).toMatchObject({ [`${JOBS.number} Running`]: 1 });
    const ended = await differences(3);
    expect(ended).toMatchObject({ [`${JOBS_FINISHED.number} Failed`]: 1, [`${ATTEMPTS.number} Failed`]: 1 });
    expect(ended).not.toHaveProperty([`${JOBS.number} Running`]);
  });

  it("keeps the counters of a Job that expired, but not of one that a replay removed", async () => {
    expect(await differences(3, { isRemoved: true })).toMatchObject({ [`${JOBS_FINISHED.number} Failed`]: 1 });
    expect(await differences(3, { isRemoved: true, isShown: false })).toEqual({});
    expect(await differences(1, { isRemoved: true })).toEqual({});
  });

  it("leaves out Jobs that were created before metrics were counted, and probes", async () => {
    expect(await differences(3, { since: NOW + 1 })).toEqual({});
    expect(await differences(3, { cluster: "outlive-doctor" })).toEqual({});
  });
});
