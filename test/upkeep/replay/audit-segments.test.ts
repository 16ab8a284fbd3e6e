import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJobFact } from "../../../src/job/model/fact.ts";
import type { LoggedSegment } from "../../../src/projection/group-facts.ts";
import { readLogItem } from "../../../src/projection/log-segment.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { compareSegments } from "../../../src/upkeep/replay/audit-segments.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { withOneOwner } from "../../support/facts/with-one-owner.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
/** After every fact. */
const SETTLED = Number.MAX_SAFE_INTEGER;
const RETRY = { attempts: 3, pause: async () => undefined };

async function storesWith(items: readonly LogItem[]) {
  const stores = { jobs: new MemoryJobStore(), runs: new MemoryJobStore(), meta: new MemoryMetaStore() };
  expect((await projectSegments(stores, items, RETRY)).refold).toEqual([]);
  return stores;
}

function segmentOf(item: LogItem): LoggedSegment {
  const read = readLogItem(item);
  return read.outcome === "read" ? read.segment : expect.fail(read.reason);
}

/** The segment as it arrived in a pack. */
function inPack(segment: LoggedSegment, arrivedAt: number): LoggedSegment {
  const pack = { shard: 3, arrivedAt };
  return { ...segment, key: { ...segment.key, pack }, name: { ...segment.name, pack } };
}

function created(): LoggedSegment {
  const story = new Story("report");
  story.jobCreated();
  const [item] = sealInSegments(story.facts, story.facts.length, NOON);
  return item === undefined ? expect.fail("There is a segment.") : segmentOf(item);
}

describe("a comparison of segments with a projection", () => {
  it("finds the segments of Jobs that were not projected, once each, and no projected one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryFact, { minLength: 1, maxLength: 60 }).map(withOneOwner),
        fc.integer({ min: 1, max: 12 }),
        fc.func(fc.boolean()),
        async (facts, size, isProjected) => {
          const items = sealInSegments(facts, size, NOON);
          const stores = await storesWith(items.filter(({ key }) => isProjected(key.sk)));
          const { unapplied, copies } = await compareSegments(stores, items.map(segmentOf), SETTLED);
          const found = unapplied.map(({ key }) => key.sk);
          const missing = items.filter(({ key }) => !isProjected(key.sk));
          expect(new Set(found).size).toBe(found.length);
          expect(missing.map(({ key }) => key.sk)).toEqual(expect.arrayContaining(found));
          const ofJobs = missing.filter((item) => segmentOf(item).facts.some(isJobFact));
          expect(found).toEqual(expect.arrayContaining(ofJobs.map(({ key }) => key.sk)));
          expect(copies).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("says of which Job a segment is missing", async () => {
    const segment = created();
    const nothing = await compareSegments(await storesWith([]), [segment], SETTLED);
    expect(nothing.unapplied).toEqual([{ key: segment.key, reason: "The projection has no Job report." }]);
  });

  it("finds the segments of a Job whose pages are lost", async () => {
    const pods = Array.from({ length: 300 }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat();
    // More segments than a state lists: their names are in pages.
    const items = sealInSegments([...largeJobFacts({ indexed: false, completions: 300 }), ...pods], 2, NOON);
    const stores = await storesWith(items);
    expect((await compareSegments(stores, items.map(segmentOf), SETTLED)).unapplied).toEqual([]);
    stores.jobs.pages.clear();
    expect((await compareSegments(stores, items.map(segmentOf), SETTLED)).unapplied).toHaveLength(items.length);
  });

  it.each([
    ["after the first copy", NOON + 5, NOON + 9, true],
    ["at the same time, which is the same copy", NOON + 5, NOON + 5, false],
  ])("finds a segment that is in the log again %s", async (_, firstAt, arrivedAt, isCopy) => {
    const first = inPack(created(), firstAt);
    const later = inPack(created(), arrivedAt);
    const stores = await storesWith([]);
    const { copies } = await compareSegments(stores, [first, later], SETTLED);
    expect(copies).toEqual(isCopy ? [{ key: later.key, first: first.key }] : []);
  });
});
