import { describe, expect, it } from "vitest";
import { ALL_STANDARD, jobsPerMonth, monthlyBill, storedGigabytes } from "../../../bench/fleet/monthly-bill.ts";
import { FREE } from "./free-prices.ts";

const CONSUMPTION = {
  writeUnits: { log: 1, jobs: 6, runs: 0, meta: 2 },
  readUnits: { log: 0, jobs: 8, runs: 0, meta: 1 },
  messages: 2,
  batches: 0.2,
  packs: 0.25,
  bytes: { log: 500, jobs: 1_000, runs: 0, meta: 100 },
  indexBytes: 700,
};
const PER_DAY = jobsPerMonth() / 30.4;

function dollarsFor(service: string, prices: Partial<typeof FREE>, storage = ALL_STANDARD): number | undefined {
  return monthlyBill(CONSUMPTION, { ...FREE, ...prices }, storage).find((item) => item.service === service)?.dollars;
}

function backups(backedUp: readonly ("log" | "jobs" | "meta")[]): number | undefined {
  return dollarsFor("backups (point in time)", { backupPerGbMonth: 1 }, { infrequent: [], backedUp });
}

function archive(prices: Partial<typeof FREE>): number | undefined {
  return dollarsFor("archive (S3, function, reads, Athena)", prices);
}

describe("the monthly bill of the fleet", () => {
  it("is nothing where nothing has a price", () => {
    expect(monthlyBill(CONSUMPTION, FREE).reduce((sum, { dollars }) => sum + dollars, 0)).toBe(0);
  });

  it("of provisioned capacity is for the hours of units, those of the peak and of the idle table included", () => {
    const provisioned = { infrequent: [], backedUp: [], isProvisioned: true };
    const prices = { provisionedWriteUnitHour: 1 };
    const live = dollarsFor("DynamoDB writes", prices, provisioned) ?? 0;
    const average = (9 * jobsPerMonth()) / 3_600;
    // 60 % use is 1.67 units for each that is used; 40 minutes of a day have 11.3 times the average.
    expect(live / average).toBeCloseTo(1.67 * (1 - 40 / 1_440) + 11.33 * (40 / 1_440), 1);
    const idle = dollarsFor("DynamoDB, the idle tables of Jobs and runs", prices, provisioned) ?? 0;
    expect(idle / live).toBeCloseTo(0.11, 1);
    expect(dollarsFor("DynamoDB writes", { writeUnitsPerMillion: 1 }, provisioned)).toBe(0);
  });

  it("counts each Job's write units, and those of the large Jobs", () => {
    const dollars = dollarsFor("DynamoDB writes", { writeUnitsPerMillion: 1e6 }) ?? 0;
    expect(dollars / (9 * jobsPerMonth())).toBeCloseTo(1, 3);
    expect(dollars).toBeGreaterThan(9 * jobsPerMonth());
  });

  it("counts units and bytes of each table at the price of its class", () => {
    const storage = { infrequent: ["log"], backedUp: [] } as const;
    const reads = dollarsFor("DynamoDB reads of ingest and projection", { readUnitsPerMillion: 1e6 }, storage);
    expect(reads).toBeCloseTo(9 * jobsPerMonth(), 0);
    const writes = dollarsFor("DynamoDB writes", { infrequentWriteUnitsPerMillion: 1e6 }, storage);
    expect(writes).toBeCloseTo(jobsPerMonth(), 0);
    const stored = dollarsFor("storage for 400 days", { infrequentStoragePerGbMonth: 1 }, storage);
    expect(stored).toBeCloseTo((PER_DAY * 430 * 500) / 1e9, 6);
  });

  it("counts two requests of SQS for each message, and one for each batch", () => {
    expect(dollarsFor("SQS", { queueRequestsPerMillion: 1e6 })).toBeCloseTo(4.2 * jobsPerMonth(), 0);
  });

  it("stores Jobs with their index entries for 400 days and the log for 430", () => {
    const stored = storedGigabytes(CONSUMPTION);
    expect(stored.log).toBeCloseTo((PER_DAY * 430 * 500) / 1e9, 6);
    expect(stored.jobs).toBeCloseTo((PER_DAY * 400 * 1_700) / 1e9, 6);
    expect(stored.meta).toBeCloseTo((PER_DAY * 400 * 100) / 1e9, 6);
    const all = stored.log + stored.jobs + stored.meta;
    expect(dollarsFor("storage for 400 days", { storagePerGbMonth: 1 })).toBeCloseTo(all, 6);
  });

  it("keeps the archive of each Job for 400 days, and the requests of its hours", () => {
    expect(archive({ objectStoragePerGbMonth: 1 })).toBeCloseTo((PER_DAY * 400 * 921) / 1e9, 3);
    expect(archive({ objectWritesPerMillion: 1e6 })).toBe(602 * 730);
  });

  it("verifies the counts of one hour each hour, half a read unit for each of its Jobs", () => {
    const read = dollarsFor("counting: function, verification, streams", { infrequentReadUnitsPerMillion: 1e6 });
    expect(read).toBeCloseTo((PER_DAY / 24) * 0.5 * 730, 0);
  });

  it("reads the record of each CronJob every five minutes, and new runs by their names", () => {
    const service = "missed runs of CronJobs";
    expect(dollarsFor(service, { readUnitsPerMillion: 1e6 })).toBeCloseTo(12 * 730 * 107_000 * 0.125, 0);
    const runs = (730 / 24) * (4e6 + 1_632_000);
    expect(dollarsFor(service, { infrequentReadUnitsPerMillion: 1e6 })).toBeCloseTo(runs, 0);
  });

  it("sends a message for each Job in a hundred, which fails: four write units and three requests", () => {
    const failed = (jobsPerMonth() / (30.4 * 24)) * 730 * 0.01;
    const units = dollarsFor("notifications of failed Jobs", { writeUnitsPerMillion: 1e6 });
    expect(units).toBeCloseTo(failed * 4, 0);
    expect(dollarsFor("notifications of failed Jobs", { queueRequestsPerMillion: 1e6 })).toBeCloseTo(failed * 3, 0);
  });

  it("stores and backs up the log for 35 days with an archive", () => {
    const withArchive = monthlyBill(CONSUMPTION, { ...FREE, infrequentStoragePerGbMonth: 1, backupPerGbMonth: 1 });
    const without = { infrequent: ["log", "jobs"], backedUp: ["log", "meta"] } as const;
    for (const service of ["storage for 400 days", "backups (point in time)"]) {
      const before = dollarsFor(service, { infrequentStoragePerGbMonth: 1, backupPerGbMonth: 1 }, without) ?? 0;
      const now = withArchive.find((item) => item.service === service)?.dollars ?? 0;
      expect(before - now).toBeCloseTo((PER_DAY * 395 * 500) / 1e9, 6);
    }
  });

  it("backs up the chosen tables without their indexes", () => {
    expect(backups(["jobs"])).toBeCloseTo((PER_DAY * 400 * 1_000) / 1e9, 6);
    expect(backups(["log", "meta"])).toBeCloseTo((PER_DAY * (430 * 500 + 400 * 100)) / 1e9, 6);
  });
});
