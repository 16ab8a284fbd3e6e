import { describe, expect, it } from "vitest";
import { attributePodDeletion } from "../../../src/job/attribution/pod-deletion.ts";
import { sweepsId, sweepsTarget } from "../../../src/job/attribution/pod-gc-record.ts";
import { hintKey } from "../../../src/job/model/cluster-context.ts";
import { type ClusterName, decodeClusterName } from "../../../src/job/model/ids.ts";
import { emptyJob, joinFacts, type JobRecord } from "../../../src/job/model/job-record.ts";
import { cronJobKey, hintsKey } from "../../../src/ports/meta-key.ts";
import { loadContext } from "../../../src/query/job/context.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { eventAbout } from "../../support/story/event-about.ts";
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

const DELETED_AT = 30;

/** A Job whose ended Pod was deleted. */
function swept(tell: (story: Story) => void = () => undefined): JobRecord {
  const story = new Story();
  story.jobCreated();
  story.podSucceeds("a", 10);
  story.after(DELETED_AT - 10);
  story.podDeletionRequested("a", "Succeeded");
  tell(story);
  return joinFacts(emptyJob(story.jobUid), story.facts);
}

async function metaWithSweeps(): Promise<MemoryMetaStore> {
  const story = new Story();
  story.jobCreated();
  story.after(DELETED_AT);
  const target = sweepsTarget(story.now);
  eventAbout(story, undefined, { target, hintId: sweepsId(story.now), reason: "PodGcSweeps" });
  const meta = new MemoryMetaStore();
  const hints = story.clusterContext.hints.get(hintKey(target));
  await meta.write("hints", hintsKey(cluster, target), { value: JSON.stringify({ hints }), expected: 0 });
  return meta;
}

describe("what is around a Job whose ended Pod was deleted", () => {
  it.each<[string, JobRecord, string]>([
    ["has the sweeps of Pod GC of that hour", swept(), "pod-garbage-collector"],
    ["has none where the Job is being deleted", swept((s) => s.jobDeletionRequested()), "unknown"],
  ])("%s", async (_, { job, pods }, actor) => {
    const context = await loadContext(await metaWithSweeps(), cluster, job);
    await context.loadPods([...pods.values()]);
    const [pod] = pods.values();
    expect(pod && attributePodDeletion(pod, job, context.clusterContext)?.actor).toBe(actor);
  });
});

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
