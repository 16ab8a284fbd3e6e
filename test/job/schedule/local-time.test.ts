import { describe, expect, it } from "vitest";
import { isTimeZone, localDay } from "../../../src/job/schedule/local-time.ts";

describe("a time zone", () => {
  it.each([
    ["Europe/Berlin", true],
    ["UTC", true],
    ["Mars/Olympus", false],
    ["", false],
  ])("%s exists: %s", (name, expected) => expect(isTimeZone(name)).toBe(expected));

  it("has its own calendar days", () => {
    expect(localDay("Asia/Tokyo")(Date.parse("2026-01-01T15:00:00Z"))).toBe("2026-01-02");
    expect(localDay("UTC")(Date.parse("2026-01-01T15:00:00Z"))).toBe("2026-01-01");
  });
});
