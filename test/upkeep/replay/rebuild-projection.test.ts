import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { rebuildProjection } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { earlierState } from "../../support/facts/earlier-state.ts";
import type { MemoryLog } from "../../support/stores/memory-log.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, send, twoProjections } from "../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const story = fc.array(arbitraryFact, { minLength: 1, maxLength: 60 });

describe("a replay of the log", () => {
  it("gives the same as the live projection, and becomes the live one", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 20 }), async (facts, size) => {
        const all = twoProjections();
        await send(all, sealInSegments(facts, size, NOON));
        const live = all.projections.open("A").contents();
        expect(await rebuildProjection(all, PATIENT)).toMatchObject({ outcome: "switched", live: "B" });
        expect(all.projections.open("B").contents()).toEqual(live);
        expect(await readLivePointer(all.meta)).toMatchObject({ live: "B" });
      }),
    );
  });

  it("includes segments that arrive while it runs", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.scheduler(), async (facts, scheduler) => {
        const items = sealInSegments(facts, 4, NOON);
        const once = twoProjections();
        await send(once, items);
        const all = twoProjections();
        await send(all, items.slice(0, 2));
        const slowLog = Object.assign(Object.create(all.log) as MemoryLog, {
          append: (item: LogItem) => scheduler.schedule(Promise.resolve()).then(() => all.log.append(item)),
          readDay: (...args: Parameters<MemoryLog["readDay"]>) =>
            scheduler.schedule(Promise.resolve()).then(() => all.log.readDay(...args)),
        });
        const slow = { ...all, log: slowLog };
        const sending = (async () => {
          for (const item of items.slice(2)) await send(slow, [item]);
        })();
        const replaying = rebuildProjection(slow, PATIENT);
        await scheduler.waitFor(Promise.all([sending, replaying]));
        expect(await replaying).toMatchObject({ outcome: "switched" });
        const { live } = await readLivePointer(all.meta);
        expect(all.projections.open(live).contents()).toEqual(once.projections.open("A").contents());
      }),
      { numRuns: 60 },
    );
  });

  it("stops if another one started after it", async () => {
    const all = twoProjections();
    await send(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 5 }), 5, NOON));
    let overtaking: ReturnType<typeof rebuildProjection> | undefined;
    const onProgress = (): void => {
      overtaking ??= rebuildProjection(all, PATIENT);
    };
    const first = rebuildProjection(all, PATIENT, { onProgress });
    expect(await first).toEqual({ outcome: "overtaken" });
    expect(await overtaking).toMatchObject({ outcome: "switched" });
  });

  it("keeps the old projection if a log item cannot be decoded", async () => {
    const all = twoProjections();
    const [item, ...rest] = sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 6 }), 5, NOON);
    await send(all, rest);
    if (item !== undefined) await all.log.append({ ...item, bytes: item.bytes.slice(0, 12) });
    expect(await rebuildProjection(all, PATIENT)).toMatchObject({
      outcome: "incomplete",
      refold: [{ key: item?.key }],
    });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A" });
  });
});

describe("a verification", () => {
  const pods = Array.from({ length: 300 }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat();
  const facts = [
    ...fc.sample(arbitraryFact, { numRuns: 60, seed: 8 }),
    ...largeJobFacts({ indexed: false, completions: 300 }),
    ...pods,
  ];
  const items = sealInSegments(facts, 50, NOON);

  it.each([[1], [3]])("finds nothing in a projection that is the fold of the log, in %i shares", async (shares) => {
    const all = twoProjections();
    await send(all, items);
    const jobs = all.projections.open("A");
    const verified = await verifyProjection({ ...all, jobs }, { shares });
    expect(verified).toEqual({
      segments: items.length,
      jobs: jobs.states.size,
      mismatches: [],
      acknowledgements: [],
      records: [],
      removed: 0,
      unreadable: [],
    });
  });

  it("finds nothing in states that an earlier release compressed", async () => {
    const all = twoProjections();
    await send(all, items);
    const jobs = all.projections.open("A");
    for (const [key, state] of jobs.states) jobs.states.set(key, { ...state, bytes: earlierState(state.bytes) });
    expect((await verifyProjection({ ...all, jobs })).mismatches).toEqual([]);
  });

  it("finds a missing Job, a missing segment and a missing page", async () => {
    const all = twoProjections();
    await send(all, items);
    const jobs = all.projections.open("A");
    const [missing, ...others] = [...jobs.states.keys()];
    if (missing !== undefined) jobs.states.delete(missing);
    const [page] = jobs.pages.keys();
    if (page !== undefined) jobs.pages.delete(page);
    const late = twoProjections();
    await send(late, items.slice(0, -1));
    const large = others.find((key) => page?.startsWith(key));
    const { mismatches } = await verifyProjection({ ...all, jobs });
    expect(mismatches.map(({ problem }) => problem).toSorted()).toEqual(["missing", "unreadable"]);
    expect(large).toContain(mismatches.find(({ problem }) => problem === "unreadable")?.jobUid);
    const behind = await verifyProjection({ ...all, jobs: late.projections.open("A") });
    expect(behind.mismatches).toMatchObject([{ problem: "different" }]);
  });

  it("finds a namespace without a record, whose Jobs are in no list, and a replay repairs it", async () => {
    const all = twoProjections();
    await send(all, items);
    const [stored] = (await all.meta.list("namespace", { prefix: "", limit: 1 })).records;
    const key = stored?.key ?? "";
    all.meta.remove("namespace", key);
    const { records } = await verifyProjection({ ...all, jobs: all.projections.open("A") });
    expect(records).toMatchObject([{ kind: "namespace", key, problem: "missing" }]);
    await rebuildProjection(all, PATIENT);
    expect(await all.meta.read("namespace", key)).toBeDefined();
  });

  it("does not report segments that arrive while it runs", async () => {
    const all = twoProjections();
    await send(all, items.slice(0, 3));
    const jobs = all.projections.open("A");
    let isSent = false;
    const arriving = Object.assign(Object.create(jobs) as typeof jobs, {
      read: async (key: Parameters<typeof jobs.read>[0]) => {
        if (!isSent) {
          isSent = true;
          await send(all, items.slice(3));
        }
        return jobs.read(key);
      },
    });
    expect((await verifyProjection({ ...all, jobs: arriving })).mismatches).toEqual([]);
  });
});
