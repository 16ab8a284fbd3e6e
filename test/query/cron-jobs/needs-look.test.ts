import { describe, expect, it } from "vitest";
import { knownCronJobs } from "../../../src/query/cron-jobs/cron-jobs.ts";
import { needsLook, isOnTime } from "../../../src/query/cron-jobs/needs-look.ts";
import { UnfinishedRuns } from "../../../src/query/cron-jobs/unfinished-runs.ts";
import { cronJobRecord } from "../../../src/ports/records/cron-job-record.ts";
import { cronJobKey } from "../../../src/ports/meta-key.ts";
import { clusterOf, storesWith } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const east = clusterOf("east");
const at = (time: string): number => Date.parse(`2026-01-02T${time}Z`);

const onTime = { lastScheduledAt: at("10:00:00"), lastSuccessfulAt: at("10:01:00") };

function hourly(status: { readonly lastScheduledAt?: number; readonly lastSuccessfulAt?: number }) {
  const story = new Story();
  story.cronJob("c", { name: "hourly", namespace: "batch", schedule: "0 * * * *" });
  const record = story.clusterContext.cronJobs?.get("c");
  if (record?.observed === undefined) throw new Error("The story has a CronJob.");
  return { ...record, observed: { ...record.observed, ...status } };
}

/** Whether an hourly CronJob is looked at that reported a success of its run of 10 o'clock. */
async function isLookedAt({ heardAt, now = heardAt }: { readonly heardAt: number; readonly now?: number }) {
  const ports = await storesWith([]);
  const value = cronJobRecord.encode(hourly(onTime));
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

describe("a CronJob that is on time by its status", () => {
  it.each<[string, boolean, Parameters<typeof hourly>[0], string, string]>([
    ["its last run succeeded, and none was due since", true, onTime, "10:20:00", "10:30:00"],
    ["the run that was due has succeeded", true, onTime, "09:50:00", "10:30:00"],
    ["another is due", false, onTime, "10:20:00", "11:00:00"],
    ["two were due since", false, onTime, "08:50:00", "10:30:00"],
    [
      "its last run has not succeeded yet",
      false,
      { ...onTime, lastSuccessfulAt: at("09:01:00") },
      "10:20:00",
      "10:30:00",
    ],
    ["it never ran", false, {}, "10:20:00", "10:30:00"],
    ["a run was due before `since` that it does not report", false, onTime, "12:20:00", "12:30:00"],
  ])("%s: %s", (_, expected, status, since, until) => {
    expect(isOnTime(hourly(status), { since: at(since), until: at(until) })).toBe(expected);
  });

  it("has no plan if only its deletion is known", () => {
    expect(isOnTime({ cronJobUid: "c" }, { since: 0, until: 1 })).toBe(true);
  });
});
