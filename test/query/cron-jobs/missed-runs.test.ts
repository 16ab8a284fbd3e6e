import { describe, expect, it } from "vitest";
import { formatInstant } from "../../../src/job/model/instant.ts";
import type { CronJobAnswer } from "../../../src/query/cron-jobs/cron-jobs.ts";
import type { CronRunAnswer } from "../../../src/query/cron-jobs/cron-run.ts";
import { dueOf, missedOf, missedRuns } from "../../../src/query/cron-jobs/missed-runs.ts";

const hour = (hours: number): number => Date.parse("2026-01-01T00:00:00Z") + hours * 3_600_000;
const text = (hours: number): string => formatInstant(hour(hours));

const withoutSchedule: CronJobAnswer = {
  cluster: "east",
  namespace: "batch",
  name: "hourly",
  uid: "c1",
  createdAt: text(0),
};

/** A CronJob of every hour. */
function hourly(said: Partial<CronJobAnswer> = {}): CronJobAnswer {
  return { ...withoutSchedule, schedule: "0 * * * *", ...said };
}

const manual: CronRunAnswer = { name: "manual", uid: "m1", state: "Running", createdAt: text(9), attention: false };

/** The run of an hour, which takes half an hour. */
function run(scheduled: number, said: Partial<CronRunAnswer> = {}): CronRunAnswer {
  const createdAt = text(scheduled);
  return { ...manual, createdAt, scheduledAt: createdAt, finishedAt: text(scheduled + 0.5), ...said };
}

const unfinished: CronRunAnswer = { ...manual, createdAt: text(1), scheduledAt: text(1) };

describe("the scheduled times of a CronJob", () => {
  it.each<[string, CronJobAnswer | undefined, readonly number[]]>([
    ["are those of its schedule", hourly(), [1, 2, 3, 4]],
    ["are unknown without a CronJob", undefined, []],
    ["are unknown without a schedule", withoutSchedule, []],
    ["are unknown for an invalid schedule", hourly({ schedule: "every hour" }), []],
    ["are unknown for an invalid time zone", hourly({ timeZone: "Mars/Olympus" }), []],
    ["begin with its creation", hourly({ createdAt: text(2.5) }), [3, 4]],
    ["end with its deletion", hourly({ deletedAt: text(2.5) }), [1, 2]],
    ["end with the last run before a suspension", hourly({ suspend: true, lastScheduledAt: text(3) }), [1, 2, 3]],
    ["are none if it was suspended before its first run", hourly({ suspend: true }), []],
  ])("%s", (_, cronJob, hours) => {
    expect(dueOf(cronJob, { from: hour(0), now: hour(4.5) })).toEqual(hours.map(hour));
  });

  it("do not include a time whose run may still arrive", () => {
    expect(dueOf(hourly(), { from: hour(0), now: hour(2) + 60_000 })).toEqual([hour(1)]);
  });
});

describe("the missed runs of a CronJob", () => {
  it("are the scheduled times without a run", () => {
    expect(missedOf([hour(1), hour(2), hour(3)], [run(2), manual])).toEqual([hour(1), hour(3)]);
  });

  it.each<[string, CronJobAnswer, readonly string[]]>([
    [
      "were skipped during another run if the policy is Forbid",
      hourly({ concurrencyPolicy: "Forbid" }),
      ["skipped", "missed"],
    ],
    ["were missed if the policy is Allow", hourly({ concurrencyPolicy: "Allow" }), ["missed", "missed"]],
  ])("%s", (_, cronJob, causes) => {
    const long = run(1, { finishedAt: text(2.5) });
    const missed = missedRuns([hour(2), hour(3)], [long], { cronJob, now: hour(4) });
    expect(missed.map(({ cause }) => cause)).toEqual(causes);
  });

  it("are skipped during a run that has not finished", () => {
    const cronJob = hourly({ concurrencyPolicy: "Forbid" });
    const missed = missedRuns([hour(2)], [unfinished], { cronJob, now: hour(4) });
    expect(missed).toEqual([{ dueAt: text(2), cause: "skipped" }]);
  });
});
