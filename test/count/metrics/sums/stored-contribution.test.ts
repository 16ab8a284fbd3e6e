import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJobFact } from "../../../../src/job/model/fact.ts";
import { countedJob } from "../../../../src/count/metrics/counted-job.ts";
import { jobContribution } from "../../../../src/count/metrics/job-contribution.ts";
import { storedContribution } from "../../../../src/count/metrics/sums/stored-contribution.ts";
import { deriveRow } from "../../../../src/projection/job-state/derive-row.ts";
import { decodeJobState } from "../../../../src/projection/job-state/job-state.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { jobUid } from "../../../support/facts/names.ts";
import { failingJob } from "../../../support/notify/failing-job.ts";
import { emptyStores, storesOver, tell } from "../../../support/stores/stores-with-facts.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { clusterOf, listedJob, rowOf } from "../../../support/story/listed-job.ts";

describe("what a stored Job contributes", () => {
  it("is what it contributes in serve when its facts are projected", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryFact, { maxLength: 40 }), async (facts) => {
        const jobs = new MemoryJobStore();
        await tell(storesOver({ jobs, meta: new MemoryMetaStore(), log: new MemoryLog() }), facts.filter(isJobFact));
        for (const [id, stored] of jobs.states) {
          const uid = jobUid(id.slice(id.indexOf("|") + 1));
          const state = decodeJobState(uid, stored.bytes);
          const derived = deriveRow(clusterOf("east"), state);
          const isSwept = derived?.row.phase === "F";
          const expected = derived && jobContribution({ ...countedJob(state, derived), isSwept });
          expect(storedContribution(uid, stored)?.amounts).toEqual(expected?.amounts);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is nothing where its item cannot be read", async () => {
    expect(storedContribution(jobUid("u"), { bytes: new Uint8Array(), row: rowOf(listedJob()) })).toBeUndefined();
    const stores = emptyStores();
    await tell(stores, failingJob().flat());
    const stored = await stores.projections.open("A").read({ cluster: clusterOf("east"), jobUid: jobUid("charge") });
    expect(stored?.row).toBeDefined();
    if (stored?.row === undefined) return;
    const row = { ...stored.row, summary: new Uint8Array([9]) };
    expect(storedContribution(jobUid("charge"), { ...stored, row })).toBeUndefined();
    expect(storedContribution(jobUid("charge"), { bytes: stored.bytes })).toBeUndefined();
    expect(storedContribution(jobUid("charge"), stored)?.amounts.length).toBeGreaterThan(0);
  });
});
