import { describe, expect, it } from "vitest";
import { amountColumns, amountRows, classColumns, classRows, groupColumns } from "../../../cli/usage/usage-columns.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

const row = { key: "blue", usage: presentUsage({ ...usageOf(2, { kept: 90, failed: 10 }), isAtMost: true }) };
const other = { key: "red", usage: presentUsage({ ...usageOf(0, {}), resources: new Map() }) };
const PRICES = { currency: "EUR", perHour: { cpu: 36 } };

describe("the table of a report by group", () => {
  it("has each resource that any group has, and classes as shares", () => {
    const columns = groupColumns("TEAM", [row, other]);
    const cells = (of: typeof row) => Object.fromEntries(columns.map(({ header, cell }) => [header, cell(of)]));
    expect(cells(row)).toMatchObject({
      TEAM: "blue",
      PODS: 2,
      "POD-TIME": "<=100s",
      CPU: "0.0278 core h",
      KEPT: "90 %",
    });
    expect(cells(other)).toMatchObject({ TEAM: "red", PODS: 0, CPU: undefined, KEPT: undefined });
  });

  it("has what it costs if there are prices", () => {
    const [cost] = groupColumns("TEAM", [row], PRICES).slice(-1);
    expect(cost?.header).toBe("EUR");
    expect(cost?.cell({ ...row, cost: { ...row.usage.podSeconds, total: 1 } })).toBe("1.00");
  });
});

describe("the table of a report without groups", () => {
  it("has a line for each class, the total first", () => {
    const columns = classColumns(row, PRICES);
    const lines = classRows({ ...row, cost: row.usage.podSeconds }).map((of) => columns.map(({ cell }) => cell(of)));
    expect(lines).toEqual([
      ["total", "100s", undefined, "0.0278 core h", "100"],
      ["kept", "90s", "90 %", "0.025 core h", "90"],
      ["failed", "10s", "10 %", "0.00278 core h", "10"],
    ]);
  });
});

describe("CSV of a report", () => {
  it("has a line for each group, resource and class", () => {
    const columns = amountColumns("TEAM");
    expect(amountRows([row, other]).map((of) => columns.map(({ cell }) => cell(of)))).toEqual([
      ["blue", 2, "at most", "pod", "kept", 90],
      ["blue", 2, "at most", "pod", "failed", 10],
      ["blue", 2, "at most", "cpu", "kept", 90],
      ["blue", 2, "at most", "cpu", "failed", 10],
    ]);
  });

  it("has what each amount costs if there are prices", () => {
    const [cost] = amountColumns("TEAM", PRICES).slice(-1);
    expect(cost?.header).toBe("EUR");
    expect(amountRows([row]).map((of) => cost?.cell(of))).toEqual([undefined, undefined, 0.9, 0.1]);
  });

  it("has prices by labels of nodes in what each amount costs", () => {
    const where = { "karpenter.sh/capacity-type": "spot" };
    const prices = { ...PRICES, nodes: [{ where, perHour: { cpu: 18 } }] };
    const [cost] = amountColumns("TEAM", prices).slice(-1);
    const nodes = [{ labels: where, usage: presentUsage(usageOf(1, { kept: 90 })) }];
    const rest = { usage: presentUsage(usageOf(1, { failed: 10 })) };
    const rows = amountRows([{ ...row, nodes: [...nodes, rest] }]);
    expect(rows.map((of) => cost?.cell(of))).toEqual([undefined, undefined, 0.45, 0.1]);
  });
});
