import { describe, expect, it } from "vitest";
import { dueTimes, parseCronSchedule } from "../../../src/parents/cron-job/cron-schedule.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";

function due(text: string, from: string, to: string, timeZone?: string): readonly string[] {
  const schedule = parseCronSchedule(text);
  if (schedule === undefined) throw new Error(`${text} is no schedule`);
  const range = { after: Date.parse(from) - 1, until: Date.parse(to), timeZone, limit: 100 };
  return dueTimes(schedule, range).map((at) => formatInstant(at).replace(":00Z", "Z"));
}

/** The days of January on which it is due. */
function days(text: string): readonly number[] {
  return due(text, "2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z").map((time) => Number(time.slice(8, 10)));
}

/** A field of a calendar schedule, as a list. */
function field(text: string, name: "minutes" | "hours" | "days" | "months" | "weekdays"): readonly number[] {
  const schedule = parseCronSchedule(text);
  return schedule?.kind === "calendar" ? [...schedule[name]].sort((a, b) => a - b) : expect.fail(`${text} is none`);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

describe("a field of a schedule", () => {
  it.each(MONTHS.map((name, index): [number, string] => [index, name]))(
    "has the name of month %i: %s",
    (index, name) => {
      expect(field(`0 0 1 ${name} *`, "months")).toEqual([index + 1]);
      expect(field(`0 0 1 ${name.toUpperCase()} *`, "months")).toEqual([index + 1]);
    },
  );

  it.each(WEEKDAYS.map((name, index): [number, string] => [index, name]))(
    "has the name of weekday %i: %s",
    (index, name) => expect(field(`0 0 * * ${name}`, "weekdays")).toEqual([index]),
  );

  it.each([
    ["0-59 * * * *", "minutes", 0, 59],
    ["* 0-23 * * *", "hours", 0, 23],
    ["* * 1-31 * *", "days", 1, 31],
    ["* * * 1-12 *", "months", 1, 12],
    ["* * * * 0-6", "weekdays", 0, 6],
  ] as const)("reaches from its least to its greatest value: %s", (text, name, min, max) => {
    const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
    expect(field(text, name)).toEqual(all);
    expect(field("* * * * *", name)).toEqual(all);
    expect(field("? ? ? ? ?", name)).toEqual(all);
  });

  it.each([
    ["1-10/3 * * * *", [1, 4, 7, 10]],
    ["50/5 * * * *", [50, 55]],
    ["*/25 * * * *", [0, 25, 50]],
    ["7,3,5-6 * * * *", [3, 5, 6, 7]],
    ["9-9 * * * *", [9]],
  ] as const)("may have steps and lists: %s", (text, minutes) => expect(field(text, "minutes")).toEqual(minutes));
});

describe("a schedule", () => {
  it.each([
    ["@yearly", "0 0 1 1 *"],
    ["@annually", "0 0 1 1 *"],
    ["@monthly", "0 0 1 * *"],
    ["@weekly", "0 0 * * 0"],
    ["@daily", "0 0 * * *"],
    ["@midnight", "0 0 * * *"],
    ["@hourly", "0 * * * *"],
  ])("may be described: %s", (text, fields) => expect(parseCronSchedule(text)).toEqual(parseCronSchedule(fields)));

  it.each([
    ["@every 1h30m15s", 5_415_000],
    ["@every 90s", 90_000],
    ["@every 2h", 7_200_000],
  ])("may be an interval: %s", (text, millis) => {
    expect(parseCronSchedule(text)).toEqual({ kind: "interval", millis });
  });

  it.each([
    ["* * * * 1", true],
    ["* * ? * 1", true],
    ["* * */1 * 1", true],
    ["* * 5 * *", true],
    ["* * */2 * 1", false],
    ["* * 5 * 1", false],
  ])("with a star for days or weekdays must match both: %s", (text, everyDay) => {
    expect(parseCronSchedule(text)).toMatchObject({ everyDay });
  });

  it("has the first of its times if a limit is set, from after the beginning until the end", () => {
    const schedule = parseCronSchedule("*/10 * * * *") ?? expect.fail("no schedule");
    const range = { after: Date.parse("2026-01-01T00:10:00Z"), until: Date.parse("2026-01-01T00:40:00Z") };
    const minutes = (limit: number) =>
      dueTimes(schedule, { ...range, limit }).map((at) => new Date(at).getUTCMinutes());
    expect(minutes(2)).toEqual([20, 30]);
    expect(minutes(9)).toEqual([20, 30, 40]);
  });

  it.each<[string, string, string, readonly string[], string?]>([
    ["*/20 * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:59:00Z", ["T00:00Z", "T00:20Z", "T00:40Z"]],
    ["5/25 8 * * *", "2026-01-01T00:00:00Z", "2026-01-01T23:59:00Z", ["T08:05Z", "T08:30Z", "T08:55Z"]],
    ["0 1-3 * * *", "2026-01-01T00:00:00Z", "2026-01-01T23:59:00Z", ["T01:00Z", "T02:00Z", "T03:00Z"]],
    ["@hourly", "2026-01-01T00:30:00Z", "2026-01-01T02:30:00Z", ["T01:00Z", "T02:00Z"]],
    ["TZ=Asia/Kolkata 0 9 * * *", "2026-01-01T00:00:00Z", "2026-01-01T23:59:00Z", ["T03:30Z"]],
    ["0 9 * * *", "2026-01-01T00:00:00Z", "2026-01-01T23:59:00Z", ["T00:15Z"], "Australia/Eucla"],
  ])("%s is due at its times", (text, from, to, expected, timeZone) => {
    expect(due(text, from, to, timeZone)).toEqual(expected.map((time) => `2026-01-01${time}`));
  });

  it("matches a day in both lists if one is a star, otherwise a day in either", () => {
    expect(days("0 0 13 * *")).toEqual([13]);
    expect(days("0 0 * * FRI")).toEqual([2, 9, 16, 23, 30]);
    expect(days("0 0 13 * FRI")).toEqual([2, 9, 13, 16, 23, 30]);
    expect(days("0 0 */10 * FRI")).toEqual([1, 2, 9, 11, 16, 21, 23, 30, 31]);
  });

  it("is not due in an hour that a clock change skips, and twice in one that it repeats", () => {
    const newYork = "America/New_York";
    expect(due("30 2 * * *", "2026-03-07T05:00:00Z", "2026-03-09T12:00:00Z", newYork)).toEqual([
      "2026-03-07T07:30Z",
      "2026-03-09T06:30Z",
    ]);
    expect(due("30 1 * * *", "2026-11-01T00:00:00Z", "2026-11-01T12:00:00Z", newYork)).toEqual([
      "2026-11-01T05:30Z",
      "2026-11-01T06:30Z",
    ]);
  });

  it("is searched for at most 400 days before the end, however early the search begins", () => {
    expect(due("0 0 30 2 *", "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z")).toEqual([]);
    expect(due("@yearly", "0001-01-01T00:00:00Z", "2026-02-05T00:00:00Z")).toEqual([
      "2025-01-01T00:00Z",
      "2026-01-01T00:00Z",
    ]);
    expect(due("@yearly", "0001-01-01T00:00:00Z", "2026-02-05T00:15:00Z")).toEqual(["2026-01-01T00:00Z"]);
  });

  it("is due on a day in each time zone, whatever the start of the search", () => {
    for (const timeZone of ["UTC", "America/New_York", "Pacific/Auckland", "Australia/Lord_Howe"]) {
      expect(due("0 0 1 * *", "2026-01-01T12:00:00Z", "2027-01-01T12:00:00Z", timeZone)).toHaveLength(12);
      expect(due("45 23 * * SUN", "2026-01-01T12:00:00Z", "2027-01-01T12:00:00Z", timeZone)).toHaveLength(52);
    }
  });

  it.each(["__proto__", "constructor", "toString"])("is not the name of a property: %s", (text) => {
    expect(parseCronSchedule(text)).toBeUndefined();
  });

  it("with an interval has no fixed times", () => {
    expect(due("@every 1h30m", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")).toEqual([]);
  });

  it.each(["", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7"])(
    "is invalid as %j",
    (text) => expect(parseCronSchedule(text)).toBeUndefined(),
  );

  it.each([
    "5-1 * * * *",
    "*/0 * * * *",
    "/5 * * * *",
    "@every 1d",
    "@every 1h 30m",
    "* * * foo *",
    "* * * * sunday",
    "1-2-3 * * * *",
    "a * * * *",
    "@every 0s",
    "@every soon",
    "1,,2 * * * *",
  ])("is invalid as %j too", (text) => expect(parseCronSchedule(text)).toBeUndefined());

  it("in the local time zone of the control plane is not supported", () => {
    expect(parseCronSchedule("TZ=Local 0 9 * * *")).toBeUndefined();
    expect(parseCronSchedule("CRON_TZ=Atlantis/Poseidonis 0 9 * * *")).toBeUndefined();
  });
});
