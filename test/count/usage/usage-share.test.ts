import { describe, expect, it } from "vitest";
import { usageShare } from "../../../src/count/usage/usage-share.ts";
import { listedJob, rowOf } from "../../support/story/listed-job.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");

describe("what a Job adds to the usage of days", () => {
  it("is its time on each UTC day", () => {
    const usage = new Map([
      [BEGIN + 22 * HOUR, usageOf(1, { kept: 60 })],
      [BEGIN + 23 * HOUR, usageOf(0, { kept: 3_600 })],
      [BEGIN + 24 * HOUR, usageOf(0, { kept: 30 })],
    ]);
    const share = usageShare({ row: rowOf(listedJob(), usage) });
    expect([...share].map(([day, { pods, podTime }]) => [day, pods, podTime.get("kept")])).toEqual([
      ["20260101", 1, 3_660_000n],
      ["20260102", 0, 30_000n],
    ]);
  });

  it("is nothing before the Job is over, or if its row is damaged", () => {
    const row = rowOf(listedJob());
    expect(usageShare({ row }).size).toBe(0);
    expect(usageShare({ row: { ...row, summary: Uint8Array.of(9) } }).size).toBe(0);
    expect(usageShare(undefined).size).toBe(0);
  });
});
