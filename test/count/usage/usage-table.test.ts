import { describe, expect, it } from "vitest";
import { UsageTable } from "../../../src/count/usage/usage-table.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { packedJson } from "../../../src/ports/sums/packed-text.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

const shown = (table: UsageTable) =>
  Object.fromEntries([...table.usages()].map(([ns, usage]) => [ns, presentUsage(usage)]));

function twoTeams(): UsageTable {
  const table = new UsageTable();
  table.add("a", usageOf(2, { kept: 10, failed: 5 }));
  table.add("b", { ...usageOf(1, { kept: 7 }), isAtMost: true });
  return table;
}

describe("a table of what namespaces reserved", () => {
  it("has the sums of each", () => {
    const table = twoTeams();
    table.add("a", usageOf(1, { kept: 1, idle: 2 }));
    expect(shown(table)).toMatchObject({
      a: {
        pods: 3,
        bound: "exact",
        podSeconds: { total: 18, kept: 11, failed: 5, idle: 2 },
        resources: { cpu: { kept: 11 } },
      },
      b: { pods: 1, bound: "at most", podSeconds: { kept: 7 } },
    });
  });

  it("is the same when it is read again, in any order", () => {
    const other = new UsageTable();
    other.add("b", { ...usageOf(1, { kept: 7 }), isAtMost: true });
    other.add("a", usageOf(2, { failed: 5, kept: 10 }));
    expect(other.pack()).toBe(twoTeams().pack());
    expect(UsageTable.unpack(twoTeams().pack())?.pack()).toBe(twoTeams().pack());
  });

  it("is empty once everything was subtracted", () => {
    const table = twoTeams();
    table.add("a", usageOf(2, { kept: 10, failed: 5 }), -1);
    expect(table.isEmpty).toBe(false);
    table.add("b", { ...usageOf(1, { kept: 7 }), isAtMost: true }, -1);
    expect(table.isEmpty).toBe(true);
  });

  it("is not read if it is damaged", () => {
    expect(UsageTable.unpack("")).toBeUndefined();
    expect(UsageTable.unpack(twoTeams().pack().slice(0, -4))).toBeUndefined();
    expect(UsageTable.unpack(packedJson({ a: { pods: "many" } }))).toBeUndefined();
  });
});
