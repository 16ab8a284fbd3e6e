import { describe, expect, it } from "vitest";
import { groupOf, type SummaryGrouping } from "../../../src/query/summary/summary-group.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("the group of a Job in a summary", () => {
  const owner = { kind: "CronJob", name: "nightly", uid: "c1" };
  it.each<[SummaryGrouping, string]>([
    ["cluster", "east"],
    ["namespace", "batch"],
    ["owner", "CronJob/nightly"],
    ["hour", "2026-01-01T23:00:00Z"],
    ["day", "2026-01-01T00:00:00Z"],
  ])("by %s is %s", (by, group) => {
    expect(groupOf(by, listedJob({ owner, createdAt: "2026-01-01T23:59:59Z" }))).toBe(group);
  });

  it("by owner is empty without an owner", () => {
    expect(groupOf("owner", listedJob())).toBe("");
  });

  it("by hour begins with an hour that has just begun", () => {
    expect(groupOf("hour", listedJob({ createdAt: "2026-01-01T12:00:00Z" }))).toBe("2026-01-01T12:00:00Z");
  });
});
