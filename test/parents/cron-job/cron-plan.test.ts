import { describe, expect, it } from "vitest";
import type { CronJobDeleted, CronJobObserved } from "../../../src/job/model/fact.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";
import type { ResourceVersion } from "../../../src/job/model/order.ts";
import { cronPlan, type CronPlan, nextPlannedTime, plannedTimes } from "../../../src/parents/cron-job/cron-plan.ts";

const at = (text: string): number => Date.parse(text.length > 6 ? text : `2026-06-01T${text}Z`);

/** A generation of an hourly CronJob that was created at 00:00. */
function spec(generation: number, observedAt: string, said: Partial<CronJobObserved> = {}): CronJobObserved {
  return {
    kind: "CronJobObserved",
    epoch: 0,
    resourceVersion: generation as ResourceVersion,
    at: at(observedAt),
    namespace: "batch",
    name: "hourly",
    cronJobUid: "c1",
    createdAt: at("00:00"),
    generation,
    schedule: "0 * * * *",
    suspend: false,
    concurrencyPolicy: "Allow",
    ...said,
  };
}

function planOf(...specs: readonly CronJobObserved[]): CronPlan {
  const observed = specs.at(-1);
  if (observed === undefined) throw new Error("a plan needs an observation");
  const plan = cronPlan({ cronJobUid: "c1", observed, specs });
  if (plan === undefined) throw new Error("observed, but without a plan");
  return plan;
}

function times(plan: CronPlan, after: string, until: string): readonly string[] {
  const planned = plannedTimes(plan, { after: at(after), until: at(until), limit: 100 });
  return planned.map((time) => formatInstant(time.at).replace(":00Z", "Z"));
}

const clock = (plan: CronPlan, after: string, until: string): readonly string[] =>
  times(plan, after, until).map((text) => text.slice(11, 16));

describe("the plan of a CronJob", () => {
  const deleted: CronJobDeleted = { ...spec(9, "02:30"), kind: "CronJobDeleted" };

  it.each<[string, readonly CronJobObserved[], readonly string[]]>([
    ["has the times of its schedule", [spec(1, "00:00")], ["01:00", "02:00", "03:00", "04:00"]],
    ["has none while it is suspended", [spec(1, "00:00", { suspend: true })], []],
    [
      "has none from a suspension until it ends",
      [spec(1, "00:00"), spec(2, "01:30", { suspend: true }), spec(3, "03:30")],
      ["01:00", "04:00"],
    ],
    [
      "follows a changed schedule from the change",
      [spec(1, "00:00"), spec(2, "02:10", { schedule: "*/30 3-4 * * *" })],
      ["01:00", "02:00", "03:00", "03:30", "04:00", "04:30"],
    ],
    [
      "follows a changed time zone from the change",
      [
        spec(1, "00:00", { schedule: "0 4 * * *" }),
        spec(2, "00:30", { schedule: "0 4 * * *", timeZone: "Asia/Dubai" }),
      ],
      [],
    ],
    [
      "has a change at a due time after that time",
      [spec(1, "00:00"), spec(2, "02:00", { suspend: true })],
      ["01:00", "02:00"],
    ],
    ["has none for an invalid schedule", [spec(1, "00:00", { schedule: "every hour" })], []],
    ["has none for an unknown time zone", [spec(1, "00:00", { timeZone: "Mars/Olympus" })], []],
    ["has none for an interval", [spec(1, "00:00", { schedule: "@every 30m" })], []],
  ])("%s", (_, specs, expected) => {
    expect(clock(planOf(...specs), "00:00", "04:45")).toEqual(expected);
  });

  it("has one interval for each spec, the last of which is the one observed last", () => {
    const plan = planOf(spec(1, "00:00"), spec(2, "02:00", { suspend: true }));
    expect(plan.spans.map(({ from, to, suspend }) => ({ from, to, suspend }))).toEqual([
      { from: at("00:00"), to: at("02:00"), suspend: false },
      { from: at("02:00"), to: undefined, suspend: true },
    ]);
  });

  it("ends with its deletion", () => {
    const plan = cronPlan({ cronJobUid: "c1", observed: spec(1, "00:00"), specs: [spec(1, "00:00")], deleted });
    expect(plan && clock(plan, "00:00", "05:00")).toEqual(["01:00", "02:00"]);
  });

  it("is unknown if only its deletion was observed", () => {
    expect(cronPlan({ cronJobUid: "c1", deleted })).toBeUndefined();
  });

  it("begins with the latest observation in a record of an earlier release", () => {
    const plan = cronPlan({ cronJobUid: "c1", observed: spec(1, "02:30") });
    expect(plan?.observedFrom).toBe(at("02:30"));
    expect(plan && clock(plan, "00:00", "03:30")).toEqual(["01:00", "02:00", "03:00"]);
  });

  it("follows a change that no generation shows, from the latest observation", () => {
    const observed = spec(0, "02:30", { schedule: "30 * * * *" });
    const plan = cronPlan({ cronJobUid: "c1", observed, specs: [spec(0, "00:00")] });
    expect(plan && clock(plan, "00:00", "04:00")).toEqual(["01:00", "02:00", "03:30"]);
  });

  it("names the next time, and none for a schedule that is never due", () => {
    expect(nextPlannedTime(planOf(spec(1, "00:00")), at("02:10"))).toBe(at("03:00"));
    expect(nextPlannedTime(planOf(spec(1, "00:00", { schedule: "0 0 30 2 *" })), at("02:10"))).toBeUndefined();
  });

  it("has at most as many times as requested", () => {
    const range = { after: at("00:00"), until: at("23:00"), limit: 2 };
    const changed = planOf(spec(1, "00:00"), spec(2, "05:30"));
    expect(plannedTimes(changed, range).map((time) => time.at)).toEqual([at("01:00"), at("02:00")]);
  });
});

describe("the plan of a CronJob on the days of a clock change", () => {
  const year = "2026-01-01T00:00:00Z";
  const zoned = (schedule: string, timeZone: string): CronPlan =>
    planOf(spec(1, year, { createdAt: at(year), schedule, timeZone }));

  // 2026: Berlin 29 March and 25 October at 01:00Z; New York 8 March at 07:00Z and 1 November at 06:00Z;
  // Lord Howe (half an hour) 4 April at 15:00Z and 3 October at 15:30Z.
  it.each<[string, string, string, string, readonly string[]]>([
    ["Europe/Berlin", "30 1 * * *", "2026-03-28T12:00:00Z", "forward", ["2026-03-29T00:30Z", "2026-03-29T23:30Z"]],
    ["Europe/Berlin", "30 2 * * *", "2026-03-28T12:00:00Z", "forward", ["2026-03-30T00:30Z"]],
    ["Europe/Berlin", "0 3 * * *", "2026-03-28T12:00:00Z", "forward", ["2026-03-29T01:00Z", "2026-03-30T01:00Z"]],
    [
      "Europe/Berlin",
      "30 2 * * *",
      "2026-10-24T12:00:00Z",
      "back",
      ["2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-26T01:30Z"],
    ],
    ["Europe/Berlin", "0 3 * * *", "2026-10-24T12:00:00Z", "back", ["2026-10-25T02:00Z", "2026-10-26T02:00Z"]],
    ["America/New_York", "30 2 * * *", "2026-03-07T12:00:00Z", "forward", ["2026-03-09T06:30Z"]],
    ["America/New_York", "0 3 * * *", "2026-03-07T12:00:00Z", "forward", ["2026-03-08T07:00Z", "2026-03-09T07:00Z"]],
    [
      "America/New_York",
      "30 1 * * *",
      "2026-10-31T12:00:00Z",
      "back",
      ["2026-11-01T05:30Z", "2026-11-01T06:30Z", "2026-11-02T06:30Z"],
    ],
    ["America/New_York", "0 2 * * *", "2026-10-31T12:00:00Z", "back", ["2026-11-01T07:00Z", "2026-11-02T07:00Z"]],
    ["Australia/Lord_Howe", "15 2 * * *", "2026-10-03T00:00:00Z", "forward", ["2026-10-04T15:15Z"]],
    [
      "Australia/Lord_Howe",
      "45 2 * * *",
      "2026-10-03T00:00:00Z",
      "forward",
      ["2026-10-03T15:45Z", "2026-10-04T15:45Z"],
    ],
    [
      "Australia/Lord_Howe",
      "45 1 * * *",
      "2026-04-04T00:00:00Z",
      "back",
      ["2026-04-04T14:45Z", "2026-04-04T15:15Z", "2026-04-05T15:15Z"],
    ],
    ["Australia/Lord_Howe", "15 1 * * *", "2026-04-04T00:00:00Z", "back", ["2026-04-04T14:15Z", "2026-04-05T14:45Z"]],
  ])("in %s: %s from %s, clocks %s", (timeZone, schedule, after, _, expected) => {
    expect(times(zoned(schedule, timeZone), after, formatInstant(at(after) + 2 * 86_400_000))).toEqual(expected);
  });

  it("of an hourly schedule has one time in each hour of UTC", () => {
    const hours = times(zoned("0 * * * *", "Europe/Berlin"), "2026-10-24T21:59:59Z", "2026-10-25T04:00:00Z");
    expect(hours.map((text) => text.slice(11))).toEqual(
      ["22", "23", "00", "01", "02", "03", "04"].map((hour) => `${hour}:00Z`),
    );
  });
});
