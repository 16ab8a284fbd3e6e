import { afterEach, describe, expect, it } from "vitest";
import { contributeClusters } from "../../../src/count/metrics/cluster-contribution.ts";
import { CRON_JOB_LAST_SUCCESS } from "../../../src/count/metrics/metric-families.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { projectClusterFacts, noteCluster } from "../../../src/projection/project-cluster.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MeteredTrackers } from "../../support/stores/metered-tracker.ts";
import { Story } from "../../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());
const cluster = clusterNamed("east");

describe("the status of a CronJob", () => {
  it("contributes its last success, and an older one does not replace it", async () => {
    const embedded = trackers.open();
    await noteCluster(embedded.meta, cluster);
    for (const lastSuccessfulAt of [5_000, 3_000]) {
      const story = new Story();
      if (lastSuccessfulAt === 3_000) story.after(60);
      story.cronJob("cron-1", { name: "nightly", lastSuccessfulAt });
      const observed = story.clusterContext.cronJobs?.get("cron-1")?.observed;
      const record = { kind: "cronjob", key: cronJobKey(cluster, "cron-1") } as const;
      const facts = observed === undefined ? [] : [observed];
      await projectClusterFacts(embedded.meta, { record, facts }, embedded.retry);
      await contributeClusters(embedded);
    }
    const shown = (await embedded.metrics.show()).filter(({ family }) => family === CRON_JOB_LAST_SUCCESS.number);
    expect(shown.map(({ labels, parts }) => [labels["cronjob"], parts.get(0)])).toEqual([["nightly", 5_000]]);
  });
});
