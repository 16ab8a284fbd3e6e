import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bucketOf,
  byJob,
  importLine,
  itemOf,
  JobInPagesError,
  joinPartials,
  type PartialState,
  partialStates,
} from "../../../bench/replay/fold-once.ts";
import type { LoggedSegment } from "../../../src/projection/group-facts.ts";
import { readLogItem } from "../../../src/projection/log-segment.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, largeJobUid, podBeginFacts } from "../../support/facts/large-job-facts.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const BUCKETS = 3;
const log = fc
  .tuple(fc.array(arbitraryFact, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 12 }))
  .map(([facts, size]) => sealInSegments(facts, size, NOON));

function segmentOf(item: LogItem): LoggedSegment {
  const read = readLogItem(item);
  return read.outcome === "read" ? read.segment : expect.fail(read.reason);
}

async function live(items: readonly LogItem[]): Promise<MemoryJobStore> {
  const jobs = new MemoryJobStore();
  await projectSegments({ jobs, meta: new MemoryMetaStore() }, items, { attempts: 3, pause: async () => {} });
  return jobs;
}

/** Units of some items each. The last unit is processed twice, as after a kill. */
async function spread(items: readonly LogItem[], perUnit: number): Promise<readonly PartialState[]> {
  const partials: PartialState[] = [];
  for (let begin = 0; begin < items.length; begin += perUnit) {
    partials.push(...(await partialStates(items.slice(begin, begin + perUnit).map(segmentOf))));
  }
  return [...partials, ...(await partialStates(items.slice(-perUnit).map(segmentOf)))];
}

describe("partial states of the units of a log, joined by bucket", () => {
  it("are the states of the live projection, byte by byte, however the log is divided", async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async (items, perUnit) => {
        const expected = await live(items);
        const partials = await spread(items, perUnit);
        const joined = new Map<string, Uint8Array>();
        for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
          for (const [key, own] of byJob(partials.filter((one) => bucketOf(one.key, BUCKETS) === bucket))) {
            expect(joined.has(key.jobUid)).toBe(false);
            joined.set(key.jobUid, (await joinPartials(key, own.toReversed())).bytes);
          }
        }
        expect(joined.size).toBe(expected.states.size);
        for (const { key } of partials) {
          expect(joined.get(key.jobUid)).toEqual((await expected.read(key))?.bytes);
        }
      }),
    );
  });
});

describe("a Job whose Pods are in pages", () => {
  it("is not joined, because its pages would be missing", async () => {
    const pods = Array.from({ length: 300 }, (_, number) => podBeginFacts(number)).flat();
    const items = sealInSegments([...largeJobFacts({ indexed: false, completions: 300 }), ...pods], 1_000, NOON);
    const [partial] = await partialStates(items.map(segmentOf));
    expect(partial?.key.jobUid).toBe(largeJobUid);
    await expect(joinPartials(partial?.key ?? expect.fail(), [partial?.bytes ?? expect.fail()])).rejects.toThrow(
      JobInPagesError,
    );
  });
});

describe("the bucket of a Job", () => {
  it("is the same for all of its partial states, and each bucket has about as many Jobs", () => {
    const keys = Array.from({ length: 3_000 }, (_, number) => ({
      cluster: clusterNamed("east"),
      jobUid: jobUid(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
    }));
    const sizes = Map.groupBy(keys, (key) => bucketOf(key, BUCKETS));
    expect(new Set(sizes.keys())).toEqual(new Set([0, 1, 2]));
    for (const { length } of sizes.values()) expect(length).toBeGreaterThan(900);
  });
});

describe("a line of an import file", () => {
  it("is the item that the live projection writes, in DynamoDB JSON", async () => {
    const items = sealInSegments(largeJobFacts({ indexed: false, completions: 3 }), 10, NOON);
    const [partial = expect.fail()] = await partialStates(items.map(segmentOf));
    const item = itemOf(partial.key, await joinPartials(partial.key, [partial.bytes]), NOON);
    const line = importLine(item);
    expect(line.endsWith("\n")).toBe(true);
    const { Item: read } = JSON.parse(line) as { readonly Item: Record<string, { readonly B?: string }> };
    expect(Object.keys(read)).toEqual(Object.keys(item));
    expect(read["pk"]).toEqual({ S: `east#${largeJobUid}` });
    expect(Buffer.from(read["state"]?.B ?? "", "base64")).toEqual(Buffer.from(item["state"]?.B ?? []));
  });
});
