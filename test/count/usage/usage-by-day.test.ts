import { describe, expect, it } from "vitest";
import { usageByDay } from "../../../src/count/usage/usage-by-day.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");

describe("what a Job reserved by day", () => {
  it("is its time on each UTC day", () => {
    const usage = new Map([
      [BEGIN + 22 * HOUR, usageOf(1, { kept: 60 })],
      [BEGIN + 23 * HOUR, usageOf(0, { kept: 3_600 })],
      [BEGIN + 24 * HOUR, usageOf(0, { kept: 30 })],
    ]);
    expect([...usageByDay(usage)].map(([day, { pods, podTime }]) => [day, pods, podTime.get("kept")])).toEqual([
      ["20260101", 1, 3_660_000n],
      ["20260102", 0, 30_000n],
    ]);
  });
});
