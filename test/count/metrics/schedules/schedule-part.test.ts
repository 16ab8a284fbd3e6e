import { describe, expect, it } from "vitest";
import { readScheduleParts, writeSchedulePart } from "../../../../src/count/metrics/schedules/schedule-part.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { clusterOf } from "../../../support/story/listed-job.ts";

const east = clusterOf("east");
const part = {
  cronJobs: [
    {
      uid: "a1",
      namespace: "batch",
      name: "report",
      missed: 1,
      recent: [60_000],
      until: 0,
      shown: 2,
      kinds: [],
      open: [],
    },
  ],
  ended: [{ namespace: "batch", cronJob: "earlier", count: 4 }],
};

describe("a part of the counted CronJobs of a cluster", () => {
  it("is read as it was written", async () => {
    const meta = new MemoryMetaStore();
    expect(await writeSchedulePart(meta, { key: "east#a", part, version: 0 })).toBe(true);
    expect(await readScheduleParts(meta, east)).toEqual([{ key: "east#a", part, version: 1 }]);
    expect(await readScheduleParts(meta, clusterOf("west"))).toEqual([]);
  });

  it("is not written over that of another process", async () => {
    const meta = new MemoryMetaStore();
    await writeSchedulePart(meta, { key: "east#a", part, version: 0 });
    expect(await writeSchedulePart(meta, { key: "east#a", part, version: 0 })).toBe(false);
  });

  it("fails with its key where it is damaged", async () => {
    const meta = new MemoryMetaStore();
    await meta.write("cronCounts", "east#a", { value: '{"part":"1AAAA"}', expected: 0 });
    await expect(readScheduleParts(meta, east)).rejects.toThrow('Invalid record cronCounts "east#a"');
  });

  it("fits an item of DynamoDB with as many CronJobs as it may have", async () => {
    const meta = new MemoryMetaStore();
    const cronJobs = Array.from({ length: 2_000 }, (_, n) => ({
      uid: crypto.randomUUID(),
      namespace: `namespace-${n % 90}`,
      name: `nightly-report-of-customer-${n}`,
      missed: n,
      recent: Array.from({ length: 30 }, (_m, at) => 29_000_000 * 60_000 + at * 60_000 * (n % 7)),
      until: 1_767_000_000_000 + n,
      shown: n + 3,
      kinds: ["MissedRun"],
      open: ["MissedRun"],
    }));
    await writeSchedulePart(meta, { key: "east#a", part: { cronJobs, ended: [] }, version: 0 });
    const value = (await meta.read("cronCounts", "east#a"))?.value ?? "";
    expect(value.length).toBeLessThan(400 * 1_024);
  });
});
