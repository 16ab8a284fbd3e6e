import { describe, expect, it } from "vitest";
import { reservedAmounts, reservedUnit } from "../../../src/count/metrics/reserved-amounts.ts";
import { usageAt } from "../../support/facts/usage-of.ts";

describe("what a Job adds to the metric of reserved seconds", () => {
  it("is an integer for each resource and class", () => {
    const [[hour, usage] = [0, undefined]] = usageAt(0, 1, { kept: 90, failedByLimit: 5 });
    if (usage === undefined) throw new Error("There is usage.");
    const memory = new Map([["kept" as const, 90_000n * 1_073_741_824n * 1_000_000_000n]]);
    const amounts = reservedAmounts(
      new Map([[hour, { ...usage, resources: new Map([...usage.resources, ["memory", memory]]) }]]),
    );
    expect(
      amounts.map(({ resource, of, bound, amount }) => [resource, of, bound, amount * reservedUnit(resource)]),
    ).toEqual([
      ["pods", "kept", "exact", 90],
      ["pods", "failed", "exact", 5],
      ["cpu", "kept", "exact", 90],
      ["cpu", "failed", "exact", 5],
      ["memory", "kept", "exact", 90 * 1_073_741_824],
    ]);
  });

  it("is nothing while it is not known", () => {
    expect(reservedAmounts(undefined)).toEqual([]);
  });
});
