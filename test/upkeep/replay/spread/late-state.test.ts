import { beforeEach, describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import { encodeJobState } from "../../../../src/projection/job-state/job-state.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { lateState } from "../../../../src/upkeep/replay/spread/late-state.ts";
import { largeJobFacts, podBeginFacts } from "../../../support/facts/large-job-facts.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { appendInPacks, appendSingly } from "../../../support/stores/both-layouts.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../../support/stores/memory-packs.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const PODS = 600;
const FACTS = [
  ...largeJobFacts({ indexed: false, completions: PODS }),
  ...Array.from({ length: PODS }, (_, number) => podBeginFacts(number)).flat(),
];
/** More segments than a state item lists. */
const ITEMS = sealInSegments(FACTS, 2, NOON - 3_600_000);

describe("the late part of a stored state", () => {
  let stores: { readonly log: MemoryPackedLog; readonly meta: MemoryMetaStore; readonly jobs: MemoryJobStore };
  const [{ jobUid } = expect.fail()] = largeJobFacts({ indexed: false, completions: PODS });
  const key = { cluster: clusterNamed("east"), jobUid };

  beforeEach(() => {
    stores = { log: new MemoryPackedLog(), meta: new MemoryMetaStore(), jobs: new MemoryJobStore() };
  });

  async function stored(items: readonly LogItem[]): Promise<Uint8Array> {
    const jobs = new MemoryJobStore();
    await projectSegments({ ...stores, jobs, jobsOnly: true }, items, PATIENT);
    for (const [name, bytes] of jobs.pages) stores.jobs.pages.set(name, bytes);
    return (await jobs.read(key))?.bytes ?? expect.fail();
  }

  async function late(bytes: Uint8Array) {
    const state = await lateState({ ...stores, since: NOON }, key, bytes);
    return state && Buffer.from(encodeJobState(state));
  }

  it("is what its segments state that arrived since then, as the log has them", async () => {
    const early = await appendInPacks(stores, ITEMS.slice(0, 5), { arrivedAt: NOON - 60_000 });
    const after = await appendInPacks(stores, ITEMS.slice(5, 9), { arrivedAt: NOON });
    expect(await late(await stored([...early, ...after]))).toEqual(Buffer.from(await stored(after)));
    expect(await late(await stored(early))).toBeUndefined();
  });

  it("refers to no pages, however many Pods and segments the state has", async () => {
    const early = await appendInPacks(stores, ITEMS.slice(0, -5), { arrivedAt: NOON - 3_600_000 });
    const after = await appendInPacks(stores, ITEMS.slice(-5), { arrivedAt: NOON });
    const bytes = await stored([...early, ...after]);
    expect(ITEMS.length).toBeGreaterThan(512);
    expect(await late(bytes)).toEqual(Buffer.from(await stored(after)));
  });

  it("is nothing of a log item of its own, which an earlier release has written", async () => {
    expect(await late(await stored(await appendSingly(stores, ITEMS.slice(0, 3))))).toBeUndefined();
  });

  it("is nothing of a state that no projector can read", async () => {
    expect(await late(Uint8Array.of(9))).toBeUndefined();
    expect(await late(Uint8Array.of())).toBeUndefined();
  });
});
