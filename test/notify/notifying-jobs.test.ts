import { describe, expect, it } from "vitest";
import { decodeJobUid } from "../../src/job/model/ids.ts";
import { notifyingJobs, type RowChange } from "../../src/notify/notifying-jobs.ts";
import { clusterOf, listedJob, rowOf } from "../support/story/listed-job.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";

describe("a store that reports changes", () => {
  it("reports the row before and after each write, within its transaction", async () => {
    const changes: RowChange[] = [];
    let depth = 0;
    const jobs = notifyingJobs(new MemoryJobStore(), {
      onChange: async (change) => {
        expect(depth).toBe(1);
        changes.push(change);
      },
      inTransaction: async (work) => {
        depth += 1;
        try {
          return await work();
        } finally {
          depth -= 1;
        }
      },
    });
    const jobUid = decodeJobUid("u1");
    if (jobUid === undefined) throw new Error("u1 is a uid");
    const key = { cluster: clusterOf("east"), jobUid };
    const [before, after] = [rowOf(listedJob({ uid: "u1" })), rowOf(listedJob({ uid: "u1", name: "later" }))];
    const bytes = new Uint8Array([1]);
    expect(await jobs.write(key, { bytes }, 0)).toMatchObject({ outcome: "written" });
    expect(changes).toEqual([]);
    await jobs.write(key, { bytes, row: before }, 1);
    await jobs.write(key, { bytes, row: after }, 2);
    expect(await jobs.write(key, { bytes, row: after }, 2)).toEqual({ outcome: "conflict" });
    expect(changes).toMatchObject([
      { key, after: { name: "report" } },
      { before: { name: "report" }, after: { name: "later" } },
    ]);
    expect(await jobs.read(key)).toMatchObject({ version: 3 });
  });
});
