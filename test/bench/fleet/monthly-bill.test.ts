import { describe, expect, it } from "vitest";
import { jobsPerMonth, monthlyBill, storedGigabytes } from "../../../bench/fleet/monthly-bill.ts";

const FREE = {
  asOf: "2026-11-22",
  region: "nowhere",
  writeUnitsPerMillion: 0,
  readUnitsPerMillion: 0,
  storagePerGbMonth: 0,
  queueRequestsPerMillion: 0,
  lambdaRequestsPerMillion: 0,
  lambdaGbSecond: 0,
  backupPerGbMonth: 0,
  logIngestionPerGb: 0,
  apiRequestsPerMillion: 0,
};
const CONSUMPTION = { writeUnits: 10, readUnits: 10, segments: 2, logBytes: 500, stateBytes: 1_500 };

function dollarsFor(service: string, prices: Partial<typeof FREE>): number | undefined {
  return monthlyBill(CONSUMPTION, { ...FREE, ...prices }).find((item) => item.service === service)?.dollars;
}

describe("the monthly bill of the fleet", () => {
  it("is nothing where nothing has a price", () => {
    expect(monthlyBill(CONSUMPTION, FREE).reduce((sum, { dollars }) => sum + dollars, 0)).toBe(0);
  });

  it("counts each Job's write units, and those of the large Jobs", () => {
    const dollars = dollarsFor("DynamoDB writes", { writeUnitsPerMillion: 1e6 }) ?? 0;
    expect(dollars / (10 * jobsPerMonth())).toBeCloseTo(1, 3);
    expect(dollars).toBeGreaterThan(10 * jobsPerMonth());
  });

  it("counts three requests of SQS for each message", () => {
    expect(dollarsFor("SQS", { queueRequestsPerMillion: 1e6 })).toBeCloseTo(6 * jobsPerMonth(), 0);
  });

  it("stores Jobs for 400 days and the log for 430", () => {
    const perDay = jobsPerMonth() / 30.4;
    expect(storedGigabytes(CONSUMPTION)).toBeCloseTo((perDay * (400 * 1_500 + 430 * 500)) / 1e9, 6);
    const stored = storedGigabytes(CONSUMPTION);
    expect(dollarsFor("storage for 400 days", { storagePerGbMonth: 1 })).toBeCloseTo(stored, 6);
    expect(dollarsFor("backups (point in time)", { backupPerGbMonth: 1 })).toBeCloseTo(stored, 6);
  });
});
