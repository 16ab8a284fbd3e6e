import { describe, expect, it } from "vitest";
import { archivedJobs } from "../../../src/archive/read/open-archived-jobs.ts";
import { explainJob } from "../../../src/query/job/explain-job.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";

const failed = { name: "report", createdAt: EIGHT, succeeds: false };

async function archivedScene(): Promise<ArchiveScene> {
  const scene = new ArchiveScene();
  await scene.tracker.tell(endedJob(failed), EIGHT + 5 * MINUTE);
  await scene.archive(EIGHT + HOUR + 10 * MINUTE);
  return scene;
}

describe("an explanation", () => {
  it("says that it is from the archive only if the state of the Job has expired", async () => {
    const { tracker, store, cluster } = await archivedScene();
    const job = { scope: "everything", wanted: { cluster, namespace: "shop", name: "report" } } as const;
    const archived = archivedJobs(store);
    const live = await explainJob({ ...tracker.ports, archived }, job, { now: EIGHT + HOUR });
    // Another tracker knows the cluster, but has no state of the Job.
    const expired = new SmallTracker();
    await expired.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
    const old = await explainJob({ ...expired.ports, archived }, job, { now: EIGHT + HOUR });
    expect(live).toMatchObject({ outcome: "explained", why: { verdict: { state: "Failed" } } });
    expect(live).not.toMatchObject({ why: { source: "archive" } });
    expect(old).toMatchObject({ outcome: "explained", why: { verdict: { state: "Failed" }, source: "archive" } });
  });
});
