import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { AUDITED_AFTER_MS, auditLog } from "../../src/upkeep/replay/audit-projection.ts";
import type { Unapplied } from "../../src/upkeep/replay/audit-segments.ts";
import type { ConflictingCopy } from "../../src/upkeep/replay/conflicting-copies.ts";
import { readItems, readWholeLog } from "../../src/log/read-log.ts";
import { rebuildProjection, startReplay } from "../../src/upkeep/replay/rebuild-projection.ts";
import { verifyProjection } from "../../src/upkeep/replay/verify-projection.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { collect } from "../support/running/collect.ts";
import { appendInPacks, appendSingly } from "../support/stores/both-layouts.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { MemoryProjections } from "../support/stores/memory-projections.ts";
import { sealInSegments } from "../support/stores/seal-in-segments.ts";
import { Story } from "../support/story/story.ts";
import { continueReplay } from "../support/killed/continue-replay.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const RETRY = { attempts: 5, pause: async () => undefined };

function stores() {
  return { log: new MemoryPackedLog(), meta: new MemoryMetaStore(), projections: new MemoryProjections() };
}
type Stores = ReturnType<typeof stores>;

/** The first third of the segments as items of their own, the rest in packs. Some segments arrive twice. */
async function logBoth(all: Stores, items: readonly LogItem[]): Promise<readonly LogItem[]> {
  const third = Math.floor(items.length / 3);
  return [
    ...(await appendSingly(all, items.slice(0, third))),
    ...(await appendInPacks(all, items.slice(third), { arrivedAt: NOON + 3_599_000 })),
    ...(await appendInPacks(all, items.slice(-2), { arrivedAt: NOON + 7_200_000 })),
  ];
}

async function project(all: Stores, items: readonly LogItem[]): Promise<void> {
  expect((await projectLive(all, items, RETRY)).refold).toEqual([]);
}

async function verify(all: Stores) {
  const jobs = await liveJobs(all.projections, all.meta);
  const { mismatches, unreadable } = await verifyProjection({ ...all, jobs });
  return [...mismatches, ...unreadable];
}

async function audit(all: Stores, now: number) {
  const found: Unapplied[] = [];
  const conflicting: ConflictingCopy[] = [];
  const jobs = await liveJobs(all.projections, all.meta);
  const onUnapplied = async (some: readonly Unapplied[]) => void found.push(...some);
  const onConflicts = async (some: readonly ConflictingCopy[]) => void conflicting.push(...some);
  const runs = all.projections.runs("A");
  const audited = await auditLog({ ...all, jobs, runs, onUnapplied, onConflicts }, { now });
  return { ...audited, conflicting, keys: new Set(found.map(({ key }) => key.sk)) };
}

/** A Job with one Pod. */
function jobOf(job: string, pod: string): readonly Fact[] {
  const story = new Story(job);
  story.jobCreated();
  story.podCreated(pod);
  return story.facts;
}

const someFacts = fc.array(arbitraryFact, { minLength: 12, maxLength: 40 });

describe("a log of both layouts", () => {
  it("is verified, and rebuilt to the same states, whatever was packed or delivered twice, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(someFacts, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (facts, size, isReversed) => {
        const all = stores();
        const items = await logBoth(all, sealInSegments(facts, size, NOON));
        for (const item of isReversed ? items.toReversed() : items) await project(all, [item]);
        expect(await verify(all)).toEqual([]);
        const rebuilt = await rebuildProjection(all, RETRY);
        expect(rebuilt).toEqual({ outcome: "switched", live: "B", segments: items.length });
        expect(await verify(all)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it("is rebuilt by turns that continue after a checkpoint within the packs", async () => {
    const all = stores();
    const items = await logBoth(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 5 }), 2, NOON));
    await project(all, items);
    expect(await startReplay(all.meta)).toBe("started");
    let turns = 0;
    let outcome = "paused";
    while (outcome === "paused") {
      let calls = 0;
      turns += 1;
      ({ outcome } = await continueReplay(all, { retry: RETRY, hasTime: () => (calls += 1) <= turns }));
    }
    expect(outcome).toBe("switched");
    expect(await verify(all)).toEqual([]);
  });

  it("is read whole, each copy of a segment once", async () => {
    const all = stores();
    const items = await logBoth(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 6 }), 2, NOON));
    const read = (await collect(readWholeLog(all))).flat();
    expect(sortedKeys(read)).toEqual(sortedKeys(items));
  });

  it("has all segments of a pack under the key of the pack, which earlier releases queue for a refold", async () => {
    const all = stores();
    await appendInPacks(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 6, seed: 7 }), 2, NOON), {
      arrivedAt: NOON,
    });
    for (const { hour, sk, items } of all.log.allPacks) {
      expect(await readItems(all.log, { pk: `${hour.shard}#${hour.hour}`, sk })).toEqual(items);
    }
    expect(await readItems(all.log, { pk: "1#2026112112", sk: "2026-11-21T12:00:00.000Z#0123456789abcdef" })).toEqual(
      [],
    );
  });
});

function sortedKeys(items: readonly LogItem[]): readonly string[] {
  return items.map(({ key }) => JSON.stringify(key)).toSorted((a, b) => (a < b ? -1 : 1));
}

describe("an audit of packs", () => {
  it("finds the segments that are not projected, once they are old enough, and goes on where it ended", async () => {
    const all = stores();
    const sealed = sealInSegments(fc.sample(arbitraryFact, { numRuns: 40, seed: 8 }), 4, NOON);
    const items = await appendInPacks(all, sealed, { arrivedAt: NOON, size: 1 });
    const [first, ...others] = items;
    await project(all, others);
    expect((await audit(all, NOON + AUDITED_AFTER_MS - 1)).segments).toBe(0);
    const found = await audit(all, NOON + AUDITED_AFTER_MS + 3_600_000);
    expect([...found.keys]).toEqual([first?.key.sk]);
    expect(found).toMatchObject({ segments: items.length, isBehind: false, auditedUntil: NOON + 3_600_000 });
    expect(await audit(all, NOON + AUDITED_AFTER_MS + 7_200_000)).toMatchObject({ segments: 0, unapplied: 0 });
  });

  it("accepts a segment that arrived again in another pack", async () => {
    const all = stores();
    const sealed = sealInSegments(fc.sample(arbitraryFact, { numRuns: 9, seed: 9 }), 3, NOON);
    await project(all, await appendInPacks(all, sealed, { arrivedAt: NOON }));
    await appendInPacks(all, sealed, { arrivedAt: NOON + 60_000 });
    expect(await audit(all, NOON + 7_200_000)).toMatchObject({ segments: 6, unapplied: 0, conflicts: 0 });
  });

  it.each([
    ["soon afterwards", 60_000],
    ["in another hour", 3_600_000],
    ["after the audit of the first", 10 * 3_600_000],
  ])("reports a segment with the key of another one that arrived %s", async (_, later) => {
    const all = stores();
    const [one, other] = [jobOf("report", "a"), jobOf("report", "b")];
    const [first] = await appendInPacks(all, sealInSegments(one, one.length, NOON), { arrivedAt: NOON });
    const [second] = await appendInPacks(all, sealInSegments(other, other.length, NOON), { arrivedAt: NOON + later });
    if (first === undefined || second === undefined) throw new Error("Nothing was sealed.");
    expect([first.key.pk, first.key.sk]).toEqual([second.key.pk, second.key.sk]);
    expect(first.sha256).not.toBe(second.sha256);
    await project(all, [second, first]);
    const audits = [await audit(all, NOON + 3_600_000), await audit(all, NOON + later + 3_600_000)];
    const conflicting = audits.flatMap((one) => one.conflicting);
    expect(conflicting).toMatchObject([{ key: second.key, first: first.key }]);
    expect(conflicting[0]?.reason).toContain(second.sha256);
    expect(conflicting[0]?.reason).toContain(first.sha256);
    expect(audits.map(({ unapplied }) => unapplied)).toEqual([0, 0]);
  });

  it("reports segments with one key that are about different Jobs, if it compares them together", async () => {
    const all = stores();
    const [one, other] = [jobOf("report", "a"), jobOf("import", "b")];
    const first = await appendInPacks(all, sealInSegments(one, one.length, NOON), { arrivedAt: NOON, shards: 1 });
    const second = await appendInPacks(all, sealInSegments(other, other.length, NOON), {
      arrivedAt: NOON + 1_000,
      shards: 1,
    });
    await project(all, [...first, ...second]);
    expect(await audit(all, NOON + 3_600_000)).toMatchObject({ segments: 2, conflicts: 1, unapplied: 0 });
  });
});
