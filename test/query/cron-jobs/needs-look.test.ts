import { describe, expect, it } from "vitest";
import { knownCronJobs } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { needsLook } from "../../../src/query/cron-jobs/needs-look.ts";
import { UnfinishedRuns } from "../../../src/query/cron-jobs/unfinished-runs.ts";
import { cronJobRecord } from "../../../src/ports/records/cron-job-record.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { clusterOf, storesWith } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const east = clusterOf("east");
const at = (time: string): number => Date.parse(`2026-01-02T${time}Z`);

/** Whether an hourly CronJob is looked at that reported a success of its run of 10 o'clock. */
async function isLookedAt({ heardAt, now = heardAt }: { readonly heardAt: number; readonly now?: number }) {
  const ports = await storesWith([]);
  const story = new Story();
  story.cronJob("c", { name: "hourly", namespace: "batch", schedule: "0 * * * *" });
  const record = story.clusterContext.cronJobs?.get("c");
  if (record?.observed === undefined) throw new Error("The story has a CronJob.");
  const observed = { ...record.observed, lastScheduledAt: at("10:00:00"), lastSuccessfulAt: at("10:01:00") };
  const value = cronJobRecord.encode({ ...record, observed });
  await ports.meta.write("cronjob", cronJobKey(east, "c"), { value, expected: 0 });
  const [cronJob] = await knownCronJobs(ports.meta, "everything", east);
  if (cronJob === undefined) throw new Error("The record is stored.");
  const unfinished = await UnfinishedRuns.read(ports, now);
  return needsLook(cronJob, { heardAt, now, since: heardAt - 3_600_000, unfinished });
}

describe("a CronJob whose last run succeeded", () => {
  it.each([
    ["is not looked at until the next due time", "10:59:00", false],
    ["is not looked at while a run of the next due time may still begin", "11:01:59", false],
    ["is looked at when that run is missing", "11:02:00", true],
  ])("%s", async (_, heardAt, expected) => {
    expect(await isLookedAt({ heardAt: at(heardAt) })).toBe(expected);
  });

  it("is as of the last data from its cluster, or of now if that has a clock that is ahead", async () => {
    expect(await isLookedAt({ heardAt: at("10:59:00"), now: at("15:00:00") })).toBe(false);
    expect(await isLookedAt({ heardAt: at("15:00:00"), now: at("10:59:00") })).toBe(false);
  });
});
