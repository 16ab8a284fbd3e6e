import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import { decodeJobState } from "../../../../src/projection/job-state/job-state.ts";
import { joinWholeStates } from "../../../../src/projection/job-state/join-job-state.ts";
import { pagesOf } from "../../../../src/projection/pages/job-pages.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { MemoryStates } from "../../../../src/upkeep/replay/spread/memory-states.ts";
import { jobText } from "../../../../src/upkeep/replay/spread/job-text.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts } from "../../../support/facts/large-job-facts.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const LARGE = [
  ...largeJobFacts({ indexed: false, completions: 300 }),
  ...Array.from({ length: 300 }, (_, number) => podBeginFacts(number)).flat(),
];
const log = fc
  .tuple(fc.array(arbitraryFact, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 12 }), fc.boolean())
  .map(([facts, size, isLarge]) => sealInSegments([...facts, ...(isLarge ? LARGE : [])], isLarge ? 60 : size, NOON));

async function projected<Store extends MemoryStates | MemoryJobStore>(jobs: Store, items: readonly LogItem[]) {
  const { refold } = await projectSegments({ jobs, meta: new MemoryMetaStore(), jobsOnly: true }, items, PATIENT);
  expect(refold).toEqual([]);
  return jobs;
}

describe("states of parts of a log, joined", () => {
  it("are those of the live projection, byte by byte, however the log is divided, and some of it twice", async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async (items, perPart) => {
        const live = await projected(new MemoryJobStore(), items);
        const partials = new Map<string, Uint8Array[]>();
        for (let begin = 0; begin < items.length + perPart; begin += perPart) {
          const part = begin < items.length ? items.slice(begin, begin + perPart) : items.slice(-perPart);
          for (const [key, bytes] of await (await projected(new MemoryStates(), part)).whole()) {
            partials.set(jobText(key), [bytes, ...(partials.get(jobText(key)) ?? [])]);
            expect(decodeJobState(key.jobUid, bytes)).toMatchObject({ layout: "inline", segments: { kind: "few" } });
          }
        }
        expect(partials.size).toBe(live.states.size);
        const pages = new MemoryJobStore();
        for (const [key] of await (await projected(new MemoryStates(), items)).whole()) {
          const parts = (partials.get(jobText(key)) ?? []).map((bytes) => decodeJobState(key.jobUid, bytes));
          const { bytes } = await joinWholeStates(key.jobUid, parts, pagesOf(pages, key));
          expect(bytes).toEqual((await live.read(key))?.bytes);
        }
        for (const [name, bytes] of pages.pages) expect(live.pages.get(name) ?? bytes).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  }, 120_000);
});

describe("states in memory", () => {
  it("have versions, of which one is written at a time, and a size", async () => {
    const states = new MemoryStates();
    const [item = expect.fail()] = sealInSegments(LARGE.slice(0, 4), 4, NOON);
    await projected(states, [item]);
    const [[key] = expect.fail()] = await states.whole();
    const stored = await states.read(key);
    expect(await states.write(key, { bytes: Uint8Array.of(1) }, 0)).toEqual({ outcome: "conflict" });
    expect(states.bytes).toBe(stored?.bytes.length);
    expect(await states.write(key, { bytes: Uint8Array.of(1) }, 1)).toEqual({ outcome: "written", version: 2 });
    expect([states.size, states.bytes]).toEqual([1, 1]);
  });
});
