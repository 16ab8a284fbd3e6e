import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countJobs, type CountPorts } from "../../src/count/count-jobs.ts";
import { type DeliveredWrites, recordBatch } from "../../src/count/record-batch.ts";
import { packTable } from "../../src/count/table-text.ts";
import { CountTable } from "../../src/count/count-table.ts";
import { readCounts } from "../../src/count/read-counts.ts";
import { shareOf } from "../../src/count/job-share.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { EARLIEST, LATEST } from "../../src/job/model/instant.ts";
import type { JobKey, JobStore } from "../../src/ports/jobs.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { clusterOf, listedJob, rowOf, second } from "../support/story/listed-job.ts";

/** A projection, the stream of its writes, and the records of its counts. */
export interface CountedStores extends CountPorts {
  readonly jobs: JobStore;
  readonly stream: { readonly deliver: (to: (writes: DeliveredWrites) => Promise<unknown>) => Promise<void> };
  /** Deletes a Job, as its expiry does. */
  readonly remove: (key: JobKey) => Promise<void>;
}

const east = clusterOf("east");
const now = () => DAY_BEGIN + 26 * HOUR;

/** What counting does with every store. `open` gives empty stores; `close` is called after each test. */
export function describeCounts(
  name: string,
  open: () => Promise<CountedStores>,
  close: () => Promise<void> = async () => {},
): void {
  describe(`${name}, Jobs that are counted`, () => {
    let stores: CountedStores;
    const written = new Map<string, JobAnswer>();
    beforeEach(async () => {
      written.clear();
      stores = await open();
      await count();
    });
    afterEach(close);

    async function count() {
      await stores.stream.deliver((writes) => recordBatch(stores, writes, now()));
      return countJobs(stores, { now });
    }

    async function write(job: JobAnswer): Promise<void> {
      const key = CountScene.keyOf(job);
      await stores.meta.write("cluster", key.cluster, { value: "{}", expected: 0 });
      const version = (await stores.jobs.read(key))?.version ?? 0;
      await stores.jobs.write(key, { bytes: Uint8Array.of(1, 2, 3), row: rowOf(job) }, version);
      written.set(job.uid, job);
    }

    async function expectExact(): Promise<void> {
      const expected = new CountTable();
      for (const job of written.values()) {
        const share = shareOf(CountScene.keyOf(job).jobUid, { bytes: new Uint8Array(), row: rowOf(job) });
        if (share !== undefined) expected.add(share.cell);
      }
      const found = new CountTable();
      const hours = { from: EARLIEST, to: LATEST, by: "owner" as const };
      for await (const cell of readCounts({ ...stores, cluster: east }, hours)) found.add(cell);
      expect(packTable(found)).toBe(packTable(expected));
    }

    const running = { verdict: { state: "Running", final: false, basis: "both" } } as const;

    it("are counted once, whatever is written of them", async () => {
      for (let n = 0; n < 30; n += 1) {
        await write(listedJob({ uid: `u${n}`, createdAt: second(n * 1_800), ...running }));
      }
      expect(await count()).toMatchObject({ outcome: "counted", writes: 30 });
      await expectExact();
      for (let n = 0; n < 20; n += 1) {
        await write(listedJob({ uid: `u${n}`, createdAt: second(n * 1_800), namespace: `n${n % 3}` }));
      }
      expect(await count()).toMatchObject({ outcome: "counted", writes: 20 });
      expect(await count()).toMatchObject({ outcome: "counted", writes: 0 });
      await expectExact();
    });

    it("are counted no more when they are deleted", async () => {
      const [kept, removed] = [listedJob({ uid: "kept" }), listedJob({ uid: "removed" })];
      await write(kept);
      await write(removed);
      await count();
      await stores.remove(CountScene.keyOf(removed));
      written.delete("removed");
      await count();
      await expectExact();
    });

    it("are counted when their name becomes known", async () => {
      const job = listedJob();
      await stores.jobs.write(CountScene.keyOf(job), { bytes: Uint8Array.of(1) }, 0);
      await count();
      await expectExact();
      await write(job);
      await count();
      await expectExact();
    });

    it("are not the pages of large Jobs", async () => {
      await stores.jobs.writePage(CountScene.keyOf(listedJob()), "00ff", Uint8Array.of(1, 2));
      await write(listedJob());
      expect(await count()).toMatchObject({ writes: 1 });
      await expectExact();
    });
  });
}
