import { describe, expect, it } from "vitest";
import { cronRunOf, dueTimeInName, runNames } from "../../../src/parents/cron-job/cron-lineage.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";

const noon = parseInstant("2026-01-01T12:00:00Z") ?? 0;
const owner = { kind: "CronJob", name: "nightly", uid: "cron-1" };

describe("the run of a CronJob", () => {
  it.each([
    ["takes its time from the annotation", "nightly-1", { owner, scheduledAt: noon }, noon],
    ["takes its time from the minute in its name", `nightly-${noon / 60_000}`, { owner }, noon],
    [
      "takes its time from the annotation, whatever its name says",
      "nightly-29448000",
      { owner, scheduledAt: noon },
      noon,
    ],
    ["takes its time from the second in its name, before 1.21", `nightly-${noon / 1_000}`, { owner }, noon],
    ["has no time if it is marked as manual", `nightly-${noon / 60_000}`, { owner, manual: true as const }, undefined],
    ["has no time if it was created manually", "nightly-now", { owner }, undefined],
    ["has no time if a manual name ends in a number", "nightly-2", { owner }, undefined],
    ["has no time if the number is in the future", "nightly-99999999", { owner }, undefined],
    ["has no time if its name is not the CronJob's", `weekly-${noon / 60_000}`, { owner }, undefined],
  ])("%s", (_, name, more, scheduledAt) => {
    const run = { cronJobUid: "cron-1", cronJob: "nightly", ...(scheduledAt !== undefined && { scheduledAt }) };
    expect(cronRunOf({ name, createdAt: noon + 5_000, ...more })).toEqual(run);
  });

  it.each([
    ["an hour after the creation, because clocks differ", 60, true],
    ["more than an hour after it", 61, false],
    ["366 days before it, after a long downtime", -366 * 24 * 60, true],
    ["longer before it", -366 * 24 * 60 - 1, false],
  ])("may be %s", (_, minutes, isPlausible) => {
    const minute = noon / 60_000 + minutes;
    const named = dueTimeInName("nightly", { name: `nightly-${minute}`, createdAt: noon });
    expect(named).toBe(isPlausible ? minute * 60_000 : undefined);
  });

  it("has a name of its due time, by which it is found", () => {
    for (const name of runNames("nightly", noon)) {
      expect(dueTimeInName("nightly", { name, createdAt: noon + 5_000 })).toBe(noon);
    }
  });

  it("is undefined for a Job with another controller", () => {
    const workflow = { kind: "Workflow", name: "w", uid: "w-1" };
    expect(cronRunOf({ name: "w-1", createdAt: noon, owner: workflow })).toBeUndefined();
  });
});
