import { describe, expect, it } from "vitest";
import { type ClusterName, decodeClusterName } from "../../../src/job/model/ids.ts";
import { emptyJob, joinFacts, type JobRecord } from "../../../src/job/model/job-record.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { loadContext } from "../../../src/query/job/context.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { Story } from "../../support/story/story.ts";

const cluster = named("prod");

function named(text: string): ClusterName {
  const name = decodeClusterName(text);
  if (name === undefined) throw new Error(`${text} is a cluster's name.`);
  return name;
}

async function metaWith(cronJobUid: string): Promise<MemoryMetaStore> {
  const story = new Story();
  story.cronJob(cronJobUid, { successfulJobsHistoryLimit: 1 });
  const meta = new MemoryMetaStore();
  const record = story.clusterContext.cronJobs?.get(cronJobUid);
  await meta.write("cronjob", cronJobKey(cluster, cronJobUid), { value: JSON.stringify(record), expected: 0 });
  return meta;
}

function ownedBy(kind: string): JobRecord {
  const story = new Story();
  story.jobCreated({}, { owner: { kind, name: "nightly", uid: "cron-uid" } });
  return joinFacts(emptyJob(story.jobUid), story.facts);
}

describe("what is around a Job", () => {
  it.each<[string, string, string, limit: number | undefined]>([
    ["has the CronJob that made it", "CronJob", "cron-uid", 1],
    ["has no other CronJob", "CronJob", "other-uid", undefined],
    ["has no CronJob for a Job that something else made", "Workflow", "cron-uid", undefined],
  ])("%s", async (_, kind, known, limit) => {
    const { clusterContext } = await loadContext(await metaWith(known), cluster, ownedBy(kind).job);
    expect(clusterContext.cronJobs?.get("cron-uid")?.observed?.successfulJobsHistoryLimit).toBe(limit);
  });
});
