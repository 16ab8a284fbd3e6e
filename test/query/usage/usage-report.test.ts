import { describe, expect, it } from "vitest";
import { UsageTallies } from "../../../src/query/usage/usage-report.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

function twoGroups(): UsageTallies {
  const tallies = new UsageTallies();
  tallies.add("2026-01-01T00:00:00Z", usageOf(1, { kept: 5, failed: 4 }));
  tallies.add("2026-01-02T00:00:00Z", usageOf(2, { kept: 100, startUp: 9 }));
  tallies.add("2026-01-01T00:00:00Z", usageOf(1, { idle: 1 }));
  return tallies;
}

const keys = (answer: ReturnType<UsageTallies["answer"]>) => answer.groups?.map(({ key }) => key.slice(8, 10));

describe("the groups of a report", () => {
  it("are the largest first, those that waste most, or by time", () => {
    expect(keys(twoGroups().answer({ by: "label=day" }))).toEqual(["02", "01"]);
    expect(keys(twoGroups().answer({ by: "label=day", sort: "waste" }))).toEqual(["01", "02"]);
    expect(keys(twoGroups().answer({ by: "day" }))).toEqual(["01", "02"]);
  });

  it("have the total beside them, and are absent without a grouping", () => {
    const { usage, groups } = twoGroups().answer({});
    expect([usage.pods, usage.podSeconds.total, groups]).toEqual([4, 119, undefined]);
  });

  it("are at most 1,000", () => {
    const tallies = new UsageTallies();
    for (let n = 0; n < 1_005; n += 1) tallies.add(`run-${n}`, usageOf(1, { kept: n }));
    const { groups = [], groupsOmitted } = tallies.answer({ by: "run" });
    expect([groups.length, groups[0]?.key, groupsOmitted]).toEqual([1_000, "run-1004", 5]);
  });
});
