import { describe, expect, it } from "vitest";
import { initialCapacity, throughputOf, unitsOfIndex } from "../../../lib/capacity/throughput.ts";
import { JOBS_SCHEMA } from "../../../src/ports/deployment/tables.ts";

describe("the provisioned throughput of a table", () => {
  it.each([
    [
      "of the reference fleet at 60 %, and at 90 % around midnight",
      600,
      3.23,
      { initial: 323, atPeak: 2_154, most: 4_308 },
    ],
    ["of a small stage is five units at least", 1, 0.75, { initial: 5, atPeak: 5, most: 10 }],
    ["is at most the quota of a table", 6_000, 10, { initial: 10_000, atPeak: 40_000, most: 40_000 }],
  ])("%s", (_, peak, units, throughput) => {
    expect(throughputOf(peak, units)).toEqual(throughput);
  });

  it("is that of the average load when it is created", () => {
    expect(initialCapacity(600, { write: 3, read: 6 })).toEqual({ writeCapacity: 300, readCapacity: 600 });
  });

  it("is known for each index of the tables of Jobs and of runs, and for no other", () => {
    for (const { name } of JOBS_SCHEMA.indexes) {
      const { write } = unitsOfIndex("jobs", name);
      expect(write).toBeGreaterThan(0);
      expect(unitsOfIndex("runs", name).write).toBeGreaterThan(0.99 * (write / 20));
    }
    expect(() => unitsOfIndex("jobs", "newest")).toThrow("The units of index newest are unknown.");
  });
});
