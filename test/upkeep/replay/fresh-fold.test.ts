import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJobFact } from "../../../src/job/model/fact.ts";
import type { LoggedSegment } from "../../../src/projection/group-facts.ts";
import { readLogItem } from "../../../src/projection/log-segment.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { FreshFold, throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";

const cluster = clusterNamed("east");
const NOON = Date.UTC(2026, 10, 21, 12);
const log = fc
  .tuple(fc.array(arbitraryFact, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }))
  .map(([facts, size]) => sealInSegments(facts, size, NOON));

function segmentOf(item: LogItem): LoggedSegment {
  const read = readLogItem(item);
  return read.outcome === "read" ? read.segment : expect.fail(read.reason);
}

function foldOf(items: readonly LogItem[], wanted?: (uid: string) => boolean): FreshFold {
  const fold = new FreshFold(wanted);
  for (const item of items) fold.add(segmentOf(item));
  return fold;
}

describe("a fold of the log in memory", () => {
  it("has each Job as a projection has it, byte by byte, in any order and with repeats", async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.nat(), async (items, seed) => {
        const jobs = new MemoryJobStore();
        await projectSegments({ jobs, meta: new MemoryMetaStore() }, items, { attempts: 3, pause: async () => {} });
        const [order = []] = fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), {
          numRuns: 1,
          seed,
        });
        const fold = foldOf([...order, ...order.slice(0, 2)]);
        expect([...fold.uids]).toHaveLength(jobs.states.size);
        for (const jobUid of fold.uids) {
          const { bytes } = await fold.stateOf(jobUid, throwAwayPages());
          expect(bytes).toEqual((await jobs.read({ cluster, jobUid }))?.bytes);
        }
      }),
    );
  });

  it("names the segments with facts of a Job, in the order of the log", () => {
    fc.assert(
      fc.property(log, (items) => {
        const fold = foldOf(items.toReversed());
        for (const jobUid of fold.uids) {
          const own = items.filter((item) =>
            segmentOf(item).facts.some((fact) => isJobFact(fact) && fact.jobUid === jobUid),
          );
          expect(fold.segmentsOf(jobUid).map(({ name }) => name)).toEqual(own.map((item) => segmentOf(item).name));
        }
      }),
    );
  });

  it("has the wanted Jobs only", () => {
    fc.assert(
      fc.property(log, (items) => {
        const all = [...foldOf(items).uids];
        const isWanted = (uid: string): boolean => all.findIndex((one) => one === uid) % 2 === 0;
        const fold = foldOf(items, isWanted);
        expect([...fold.uids]).toEqual(all.filter(isWanted));
        expect(all.map((uid) => fold.has(uid))).toEqual(all.map(isWanted));
      }),
    );
  });
});
