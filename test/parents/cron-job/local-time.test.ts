import { describe, expect, it } from "vitest";
import { isTimeZone, localClock, localDay } from "../../../src/parents/cron-job/local-time.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

describe("a time zone", () => {
  it.each([
    ["Europe/Berlin", true],
    ["UTC", true],
    ["Mars/Olympus", false],
    ["", false],
  ])("%s exists: %s", (name, expected) => expect(isTimeZone(name)).toBe(expected));

  it.each(WEEKDAYS.map((name, weekday): [number, string] => [weekday, name]))("has weekday %i on a %s", (weekday) => {
    const at = Date.UTC(2026, 0, 4 + weekday, 23, 59);
    expect(localClock("UTC")(at)).toEqual({ year: 2026, month: 1, day: 4 + weekday, weekday, hour: 23, minute: 59 });
    expect(localClock("Asia/Kolkata")(at)).toMatchObject({ day: 5 + weekday, weekday: (weekday + 1) % 7, hour: 5 });
  });

  it("is the same by any name: UTC, which is not formatted, and Etc/UTC, which is", () => {
    const day = 86_400_000;
    const instants = Array.from({ length: 3_000 }, (_, n) => Date.parse("1999-12-27T00:00:00Z") + n * 5.37 * day);
    expect(instants.map(localClock("UTC"))).toEqual(instants.map(localClock("Etc/UTC")));
  });

  it("that is unknown is refused each time", () => {
    for (let times = 0; times < 2; times += 1) {
      expect(isTimeZone("Mars/Olympus")).toBe(false);
      expect(() => localClock("Mars/Olympus")).toThrow(RangeError);
    }
  });

  it("begins a day with hour 0", () => {
    expect(localClock("UTC")(Date.UTC(2026, 0, 4))).toMatchObject({ day: 4, hour: 0, minute: 0 });
  });

  it("has its own calendar days", () => {
    expect(localDay("Asia/Tokyo")(Date.parse("2026-01-01T15:00:00Z"))).toBe("2026-01-02");
    expect(localDay("UTC")(Date.parse("2026-01-01T15:00:00Z"))).toBe("2026-01-01");
  });

  it.each(["Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])(
    "has the same day for each minute, whatever was asked before: %s",
    (zone) => {
      const day = localDay(zone);
      const from = Date.parse("2026-03-28T12:00:00Z");
      const minutes = Array.from({ length: 2 * 24 * 60 }, (_, minute) => from + minute * 60_000);
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
      expect(minutes.map(day)).toEqual(minutes.map((at) => format.format(at)));
    },
  );
});
