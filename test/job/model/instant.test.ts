import { describe, expect, it } from "vitest";
import {
  dayBegin,
  earliestOf,
  formatInstant,
  HOUR_MILLIS,
  hourOf,
  parseInstant,
  utcDay,
} from "../../../src/job/model/instant.ts";

describe("an instant", () => {
  it.each([
    ["2026-11-21T08:24:44Z", "2026-11-21T08:24:44Z"],
    ["2026-11-21T08:24:44.123456Z", "2026-11-21T08:24:44.123Z"],
    ["2026-11-21T10:24:44+02:00", "2026-11-21T08:24:44Z"],
    ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  ])("%s is parsed, and formatted in UTC as %s", (text, written) => {
    expect(formatInstant(parseInstant(text) ?? Number.NaN)).toBe(written);
  });

  it.each(["", "today", "2026-11-21", "2026-11-21T08:24:44", "2026-13-01T00:00:00Z", "10000-01-01T00:00:00Z", null, 7])(
    "%j is not valid",
    (value) => {
      expect(parseInstant(value)).toBeUndefined();
    },
  );

  const written = "2026-11-21T08:24:44Z";
  const positions = written.split("").map((character, at) => [character, at] as const);
  const replaced = (at: number, character: string) => `${written.slice(0, at)}${character}${written.slice(at + 1)}`;

  it.each(positions.filter(([character]) => /\d/.test(character)))(
    "needs a digit where 2026-11-21T08:24:44Z has %s at %i",
    (_, at) => {
      // The neighbours of the digits in ASCII.
      for (const other of ["/", ":"]) expect(parseInstant(replaced(at, other))).toBeUndefined();
    },
  );

  it.each(positions.filter(([character]) => !/\d/.test(character)))(
    "needs its punctuation where 2026-11-21T08:24:44Z has %s at %i",
    (_, at) => {
      const next = String.fromCharCode(written.charCodeAt(at) + 1);
      for (const other of ["_", next]) expect(parseInstant(replaced(at, other))).toBeUndefined();
    },
  );

  it.each([
    `${written}0`,
    ` ${written}`,
    written.slice(1),
    "0.26-11-21T08:24:44Z",
    "2026-11-21T08:60:44Z",
    "2026-11-21T08:24:60Z",
    "2026-11-21T24:00:01Z",
    "2026-00-21T08:24:44Z",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    // Each pair of characters has the number 10, if the second one counts as a digit.
    "0:0:-0:-0:T0::0::0:Z",
    "2026-11-00T08:24:44Z",
    "2026-01-32T00:00:00Z",
  ])("%j is not valid either", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each([
    ["2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1)],
    ["2026-12-31T23:59:59Z", Date.UTC(2026, 11, 31, 23, 59, 59)],
    ["0099-12-31T23:59:59Z", Date.parse("0099-12-31T23:59:59Z")],
    ["0100-01-01T00:00:00Z", Date.parse("0100-01-01T00:00:00Z")],
  ])("%s is valid at the end of its range", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it("out of the range of RFC 3339 is formatted as the nearest one in range", () => {
    expect(formatInstant(Number.MAX_SAFE_INTEGER)).toBe("9999-12-31T23:59:59.999Z");
    expect(formatInstant(-Number.MAX_SAFE_INTEGER)).toBe("0000-01-01T00:00:00Z");
  });
});

describe("a UTC day", () => {
  it.each([
    ["20261121", "2026-11-21T00:00:00Z"],
    ["19691231", "1969-12-31T00:00:00Z"],
    ["20280229", "2028-02-29T00:00:00Z"],
  ])("%s starts at %s, and is the day of that instant", (day, written) => {
    const begin = dayBegin(day) ?? Number.NaN;
    expect(formatInstant(begin)).toBe(written);
    expect(utcDay(begin)).toBe(day);
    expect(utcDay(begin + 86_399_999)).toBe(day);
  });

  it.each(["", "2026", "2026112", "20261301", "202611211", "today"])("%j is not valid", (text) => {
    expect(dayBegin(text)).toBeUndefined();
  });
});

describe("the hour of an instant", () => {
  it.each([
    ["begins at the instant itself", 0, 0],
    ["ends just before the next hour", HOUR_MILLIS - 1, 0],
    ["begins before an instant before 1970", -1, -HOUR_MILLIS],
  ])("%s", (_, instant, hour) => {
    expect(hourOf(instant)).toBe(hour);
  });
});

describe("the earliest of instants", () => {
  it("leaves out those that are unknown", () => {
    expect(earliestOf([5, undefined, 3])).toBe(3);
    expect(earliestOf([undefined])).toBeUndefined();
  });
});
