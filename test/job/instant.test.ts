import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "../../src/job/instant.ts";

describe("an instant", () => {
  it.each([
    ["2026-11-21T08:24:44Z", "2026-11-21T08:24:44Z"],
    ["2026-11-21T08:24:44.123456Z", "2026-11-21T08:24:44.123Z"],
    ["2026-11-21T10:24:44+02:00", "2026-11-21T08:24:44Z"],
    ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
  ])("%s is read, and written in UTC as %s", (text, written) => {
    expect(formatInstant(parseInstant(text) ?? Number.NaN)).toBe(written);
  });

  it.each(["", "today", "2026-11-21", "2026-11-21T08:24:44", "2026-13-01T00:00:00Z", "10000-01-01T00:00:00Z", null, 7])(
    "%j is none",
    (value) => {
      expect(parseInstant(value)).toBeUndefined();
    },
  );

  it("beyond what RFC 3339 can write is held to the nearest that it can", () => {
    expect(formatInstant(Number.MAX_SAFE_INTEGER)).toBe("9999-12-31T23:59:59.999Z");
    expect(formatInstant(-Number.MAX_SAFE_INTEGER)).toBe("0000-01-01T00:00:00Z");
  });
});
