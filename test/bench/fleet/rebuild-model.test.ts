import { describe, expect, it } from "vitest";
import {
  dollarsOf,
  rebuildByDifferences,
  rebuildByImport,
  rebuildByWrites,
} from "../../../bench/fleet/rebuild-model.ts";
import { fleetRate } from "../../../bench/fleet/reference-fleet.ts";
import { FREE } from "./free-prices.ts";

const JOB = {
  facts: 30,
  writeUnits: 6,
  readUnits: { log: 0.5, jobs: 4, runs: 0, meta: 1 },
  indexEntries: 3,
  logBytes: 700,
  itemBytes: 1_000,
  partialBytes: 600,
  lineBytes: 1_500,
  packedLineBytes: 600,
};
const JOBS = fleetRate() * 86_400 * 400;

describe("a rebuild by writes", () => {
  it("writes each Job as often as the live projection, after a deletion of its item and its index entries", () => {
    const { hours, items } = rebuildByWrites(JOB, { ...FREE, infrequentWriteUnitsPerMillion: 1e6 });
    expect(dollarsOf({ hours, items })).toBeCloseTo((6 + 4) * JOBS, -1);
    expect(hours).toBeCloseTo((10 * JOBS) / 40_000 / 3_600, 6);
  });

  it("is nothing where nothing has a price", () => {
    expect(dollarsOf(rebuildByWrites(JOB, FREE))).toBe(0);
  });
});

describe("a rebuild by import", () => {
  it("pays for the files as they are before compression, whatever has indexes", () => {
    const price = { ...FREE, importPerGb: 1 };
    expect(dollarsOf(rebuildByImport(JOB, price))).toBeCloseTo((1_500 * JOBS) / 1e9, 6);
    expect(dollarsOf(rebuildByImport({ ...JOB, indexEntries: 9 }, price))).toBeCloseTo((1_500 * JOBS) / 1e9, 6);
  });

  it("writes only what arrives meanwhile", () => {
    const dollars = dollarsOf(rebuildByImport(JOB, { ...FREE, infrequentWriteUnitsPerMillion: 1e6 }));
    expect(dollars).toBeCloseTo(fleetRate() * 12 * 3_600 * 6, 0);
  });

  it("takes as long for a Job of many facts as for one of few, because its states were measured", () => {
    expect(rebuildByImport({ ...JOB, facts: 300 }, FREE).hours).toBe(rebuildByImport(JOB, FREE).hours);
  });
});

describe("a rebuild by differences", () => {
  const price = { ...FREE, infrequentWriteUnitsPerMillion: 1e6 };
  const arrived = fleetRate() * 12 * 3_600 * 6;

  function unitsFor(idle: { readonly daysBehind: number; readonly different: number }): number {
    return dollarsOf(rebuildByDifferences(JOB, price, idle)) - arrived;
  }

  it("writes nothing to a table that has every Job as it is derived", () => {
    expect(unitsFor({ daysBehind: 0, different: 0 })).toBeCloseTo(0, 0);
  });

  it("writes the item and the index entries of each Job that an empty table lacks", () => {
    expect(unitsFor({ daysBehind: 400, different: 0 })).toBeCloseTo(4 * JOBS, -1);
    expect(unitsFor({ daysBehind: 400, different: 1 })).toBeCloseTo(4 * JOBS, -1);
  });

  it("writes one unit for a state that differs, because its index entries remain", () => {
    expect(unitsFor({ daysBehind: 0, different: 0.25 })).toBeCloseTo(JOBS / 4, -1);
  });
});
