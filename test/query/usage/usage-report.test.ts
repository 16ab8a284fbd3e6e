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

  it("are divided by the labels of Nodes, of which some may be unknown", () => {
    const tallies = new UsageTallies();
    tallies.add("run", usageOf(1, { kept: 5 }), { labels: { zone: "a" } });
    tallies.add("run", usageOf(2, { kept: 7 }), { labels: { zone: "a" } });
    tallies.add("run", usageOf(1, { failed: 3 }), { labels: undefined });
    const { groups, nodes } = tallies.answer({ by: "run" });
    const seconds = nodes?.map(({ labels, usage }) => [labels, usage.pods, usage.podSeconds.total]);
    expect(seconds).toEqual([
      [undefined, 1, 3],
      [{ zone: "a" }, 3, 12],
    ]);
    expect(groups?.map((group) => group.nodes)).toEqual([nodes]);
  });

  it("have at most 1,000 sets of labels: others count as unknown", () => {
    const tallies = new UsageTallies();
    for (let n = 0; n < 1_003; n += 1) tallies.add(undefined, usageOf(1, { kept: 1 }), { labels: { zone: `${n}` } });
    const { nodes = [] } = tallies.answer({});
    expect([nodes.length, nodes[0]?.labels, nodes[0]?.usage.pods]).toEqual([1_001, undefined, 3]);
  });

  it("are as many as have 4,000 parts by labels together, the largest", () => {
    const tallies = new UsageTallies();
    for (let n = 0; n < 5_000; n += 1) {
      tallies.add(`run-${n % 500}`, usageOf(1, { kept: 1 + (n % 500) }), {
        labels: { zone: `${Math.floor(n / 500)}` },
      });
    }
    const { groups = [], groupsOmitted } = tallies.answer({ by: "run" });
    expect([groups.length, groups[0]?.key, groupsOmitted]).toEqual([400, "run-499", 100]);
  });

  it("are at most 1,000", () => {
    const tallies = new UsageTallies();
    for (let n = 0; n < 1_005; n += 1) tallies.add(`run-${n}`, usageOf(1, { kept: n }));
    const { groups = [], groupsOmitted } = tallies.answer({ by: "run" });
    expect([groups.length, groups[0]?.key, groupsOmitted]).toEqual([1_000, "run-1004", 5]);
  });
});
