import { describe, expect, it } from "vitest";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { cronJobRecord } from "../../../src/ports/records/cron-job-record.ts";
import { eachCronJob, knownCronJobs } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { clusterOf, storesWith } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const east = clusterOf("east");

/** The CronJobs "a", "b" and "c" of a story, and a record of which nothing is known. */
async function metaWithCronJobs() {
  const { meta } = await storesWith([]);
  const story = new Story();
  story.cronJob("a", { name: "hourly", namespace: "batch", schedule: "0 * * * *", timeZone: "Europe/Berlin" });
  story.cronJob("b", { name: "nightly", namespace: "web", lastScheduledAt: story.now, lastSuccessfulAt: story.now });
  story.cronJobDeleted("c");
  const records = [...(story.clusterContext.cronJobs ?? []), ["d", { cronJobUid: "d" }] as const];
  for (const [uid, record] of records) {
    await meta.write("cronjob", cronJobKey(east, uid), { value: cronJobRecord.encode(record), expected: 0 });
  }
  return meta;
}

describe("the CronJobs of a cluster", () => {
  it("are described as they were last observed, also after their deletion", async () => {
    const known = await knownCronJobs(await metaWithCronJobs(), "everything", east);
    const time = "2026-01-01T00:00:00Z";
    const spec = { suspend: false, concurrencyPolicy: "Allow" };
    const hourly = { schedule: "0 * * * *", timeZone: "Europe/Berlin", createdAt: time, ...spec };
    const nightly = { schedule: "0 0 * * *", lastScheduledAt: time, lastSuccessfulAt: time, createdAt: time, ...spec };
    expect(known.map(({ answer }) => answer)).toEqual([
      { cluster: "east", namespace: "batch", name: "hourly", uid: "a", ...hourly },
      { cluster: "east", namespace: "web", name: "nightly", uid: "b", ...nightly },
      { cluster: "east", namespace: "default", name: "nightly", uid: "c", deletedAt: time },
    ]);
  });

  it("are only those of namespaces that the reader may see", async () => {
    const scope = { grants: [{ cluster: "east", namespaces: ["web"] }] };
    const known = await knownCronJobs(await metaWithCronJobs(), scope, east);
    expect(known.map(({ answer }) => answer.name)).toEqual(["nightly"]);
  });

  it("continue after a uid", async () => {
    const meta = await metaWithCronJobs();
    const uids: string[] = [];
    for await (const { answer } of eachCronJob(meta, east, { afterUid: "a" })) uids.push(answer.uid);
    expect(uids).toEqual(["b", "c"]);
  });
});
