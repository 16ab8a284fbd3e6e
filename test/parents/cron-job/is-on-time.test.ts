import { describe, expect, it } from "vitest";
import { isOnTime } from "../../../src/parents/cron-job/is-on-time.ts";
import { Story } from "../../support/story/story.ts";

const at = (time: string): number => Date.parse(`2026-01-02T${time}:00Z`);

function hourly(status: { readonly lastScheduledAt?: number; readonly lastSuccessfulAt?: number }) {
  const story = new Story();
  story.cronJob("c", { name: "hourly", namespace: "batch", schedule: "0 * * * *" });
  const record = story.clusterContext.cronJobs?.get("c");
  if (record?.observed === undefined) throw new Error("The story has a CronJob.");
  return { ...record, observed: { ...record.observed, ...status } };
}

const onTime = { lastScheduledAt: at("10:00"), lastSuccessfulAt: at("10:01") };

describe("a CronJob that is on time by its status", () => {
  it.each<[string, boolean, Parameters<typeof hourly>[0], string, string]>([
    ["its last run succeeded, and none was due since", true, onTime, "10:20", "10:30"],
    ["the run that was due has succeeded", true, onTime, "09:50", "10:30"],
    ["another is due", false, onTime, "10:20", "11:00"],
    ["two were due since", false, onTime, "08:50", "10:30"],
    ["its last run has not succeeded yet", false, { ...onTime, lastSuccessfulAt: at("09:01") }, "10:20", "10:30"],
    ["it never ran", false, {}, "10:20", "10:30"],
    ["a run was due before `since` that it does not report", false, onTime, "12:20", "12:30"],
  ])("%s: %s", (_, expected, status, since, until) => {
    expect(isOnTime(hourly(status), { since: at(since), until: at(until) })).toBe(expected);
  });

  it("has no plan if only its deletion is known", () => {
    expect(isOnTime({ cronJobUid: "c" }, { since: 0, until: 1 })).toBe(true);
  });
});
