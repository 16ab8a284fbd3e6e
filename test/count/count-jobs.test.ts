import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { STATES } from "../../src/job/model/states.ts";
import { countPositionKey } from "../../src/ports/meta-key.ts";
import { countPosition } from "../../src/count/count-records.ts";
import { listShards } from "../../src/count/counted-shard.ts";
import { CountsHeldError } from "../../src/count/open-position.ts";
import { readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { countsOf, recountOf } from "../support/stores/counted-jobs.ts";
import type { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { Process } from "../support/killed/killed-at.ts";
import { clusterOf, listedJob, second } from "../support/story/listed-job.ts";

const EAST = clusterOf("east");
const CLUSTERS = [EAST, clusterOf("west")];
const NO_JOBS = recountOf(new Map(), EAST);

async function expectExact({ ports, store }: CountScene): Promise<void> {
  for (const cluster of CLUSTERS) {
    for (const by of ["owner", "namespace", "hour"] as const) {
      expect(await countsOf(ports, cluster, { by })).toBe(recountOf(store.states, cluster, { by }));
    }
    const some = { from: DAY_BEGIN + 3 * HOUR, to: DAY_BEGIN + 27 * HOUR };
    expect(await countsOf(ports, cluster, some)).toBe(recountOf(store.states, cluster, some));
  }
}

const drawnJob = fc
  .record({
    cluster: fc.constantFrom("east", "west"),
    namespace: fc.constantFrom("a", "b"),
    uid: fc.integer({ min: 1, max: 12 }).map((n) => `u${n}`),
    createdAt: fc.integer({ min: 0, max: 30 }).map((hours) => second(hours * 3_600 + 60)),
    owner: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
    state: fc.constantFrom(...STATES),
    seconds: fc.integer({ min: 1, max: 4_000 }),
    kinds: fc.subarray(["LimitReached", "StatusBehind"] as const),
    succeeded: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ owner, state, seconds, kinds, succeeded, ...said }) =>
    listedJob({
      ...said,
      startedAt: said.createdAt,
      finishedAt: new Date(Date.parse(said.createdAt) + seconds * 1_000).toISOString(),
      verdict: { state, final: state === "Complete", basis: "both" },
      pods: { seen: 2, succeeded, failed: 2 - succeeded, active: 0, terminating: 0, unknown: 0 },
      ...(owner !== undefined && { owner: { kind: "CronJob", name: owner, uid: owner } }),
      findings: kinds.map((kind) => ({ kind, message: "", evidence: [] })),
    }),
  );

type Step =
  | { readonly does: "write"; readonly job: JobAnswer }
  | { readonly does: "remove"; readonly job: JobAnswer }
  | { readonly does: "deliverCut"; readonly shard: number; readonly back: number; readonly length: number }
  | { readonly does: "deliverKilled" | "countKilled"; readonly request: number }
  | { readonly does: "rollShards"; readonly into: number }
  | { readonly does: "deliver" | "deliverAgain" | "count" | "twoAtOnce" | "wait" | "verify" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: drawnJob.map((job) => ({ does: "write" as const, job })) },
  { weight: 2, arbitrary: drawnJob.map((job) => ({ does: "remove" as const, job })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ shard: fc.nat(8), back: fc.nat(6), length: fc.integer({ min: 1, max: 6 }) })
      .map((cut) => ({ does: "deliverCut" as const, ...cut })),
  },
  { weight: 1, arbitrary: fc.nat(12).map((request) => ({ does: "deliverKilled" as const, request })) },
  { weight: 2, arbitrary: fc.nat(25).map((request) => ({ does: "countKilled" as const, request })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((into) => ({ does: "rollShards" as const, into })) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom("deliver", "deliverAgain", "count", "count", "twoAtOnce", "wait", "verify")
      .map((does) => ({ does })),
  },
);

async function take(scene: CountScene, taken: Step): Promise<void> {
  switch (taken.does) {
    case "write":
      return scene.write(taken.job);
    case "remove":
      return scene.store.remove(CountScene.keyOf(taken.job));
    case "deliverCut":
      return scene.deliverCut(taken);
    case "deliverKilled":
      return scene.deliver({ meta: new Process(taken.request).over(scene.meta) }).catch(() => {});
    case "deliver":
      return scene.deliver();
    case "deliverAgain":
      return scene.store.deliverAgain();
    case "countKilled":
      return scene.countKilled(taken.request);
    case "count":
      await scene.countRecorded();
      return;
    case "twoAtOnce":
      // A delivery that loses against an equal one is repeated.
      await Promise.allSettled([scene.count(), scene.deliver(), scene.count(), scene.countRecorded()]);
      return;
    case "rollShards":
      return scene.store.rollShards(taken.into);
    case "wait":
      scene.now += HOUR;
      return;
    case "verify":
      expect((await scene.verify()).mismatches).toBe(0);
      return;
  }
}

async function position({ meta }: CountScene) {
  const stored = await readRecord(meta, countPosition, countPositionKey("A"));
  if (stored === undefined) throw new Error("Nothing is counted.");
  return stored;
}

/** The position of the last counted write of each shard. */
async function endsOf({ ports }: CountScene): Promise<{ readonly positions: Readonly<Record<string, string>> }> {
  const shards = await listShards(ports, EARLIEST);
  return { positions: Object.fromEntries(shards.map(({ shard, value }) => [shard, value.counted?.to ?? ""])) };
}

/** Removes the records of shards and batches. */
async function forget(meta: MemoryMetaStore, prefixes: readonly string[]): Promise<void> {
  for (const kind of ["countShard", "countBatch"] as const) {
    for (const prefix of prefixes) {
      const { records } = await meta.list(kind, { prefix, limit: 1_000 });
      for (const { key } of records) meta.remove(kind, key);
    }
  }
}

describe("counts from the stream of a projection", () => {
  it("are those of a recount, however writes are repeated, cut and sharded, and whatever is killed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const scene = new CountScene();
        await scene.count();
        for (const taken of steps) await take(scene, taken);
        scene.now += HOUR;
        await scene.count();
        await expectExact(scene);
        // Another hour later, days have their hours, and their sums still agree.
        scene.now += HOUR;
        await scene.write(listedJob({ uid: "u1", createdAt: second(4 * 3_600) }));
        await scene.count();
        await expectExact(scene);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it("do not contain the probes of `outlive doctor`", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob({ cluster: "outlive-doctor" }));
    await scene.count();
    expect(await countsOf(scene.ports, clusterOf("outlive-doctor"))).toBe(NO_JOBS);
  });

  it("are left alone while another process changes them", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    await scene.deliver();
    const killed = new Process(8);
    await scene.countRecorded({}, { meta: killed.over(scene.meta) }).catch(() => {});
    expect(await scene.count()).toMatchObject({ outcome: "held" });
    scene.now += 7 * 60_000;
    expect(await scene.count()).toMatchObject({ outcome: "counted", writes: 1 });
  });

  it("wait up to five minutes for more writes where these would change many sums", async () => {
    const scene = new CountScene();
    await scene.count();
    for (let n = 0; n < 30; n += 1) {
      await scene.write(listedJob({ uid: `u${n}`, createdAt: second(n * 3_600) }));
    }
    scene.now += 240_000;
    expect(await scene.count({ eager: false })).toMatchObject({ writes: 0, behindMillis: 240_000 });
    scene.now += 60_000;
    expect(await scene.count({ eager: false })).toMatchObject({ writes: 30, behindMillis: 0 });
    await expectExact(scene);
  });

  it("are written at once where few sums change", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    expect(await scene.count({ eager: false })).toMatchObject({ writes: 1 });
  });

  it("state when the last writes were made that are in them: a killed round is not", async () => {
    const scene = new CountScene();
    const countedTo = async () => (await readRecord(scene.meta, countPosition, countPositionKey("A")))?.value.countedTo;
    await scene.count();
    expect(await countedTo()).toBeUndefined();
    await scene.write(listedJob());
    const first = scene.now;
    await scene.count();
    expect(await countedTo()).toBe(first);
    scene.now += 60_000;
    const again = scene.now;
    await scene.write(listedJob({ uid: "u2" }));
    await scene.deliver();
    const killed = new Process(8);
    await scene.countRecorded({}, { meta: killed.over(scene.meta) }).catch(() => {});
    expect(await countedTo()).toBe(first);
    scene.now += 7 * 60_000;
    await scene.count();
    expect(await countedTo()).toBe(again);
    await expectExact(scene);
  });

  it("write nothing while nothing changes", async () => {
    const scene = new CountScene();
    await scene.count();
    const before = await scene.meta.read("position", countPositionKey("A"));
    scene.now += 600_000;
    await scene.count();
    expect(await scene.meta.read("position", countPositionKey("A"))).toEqual(before);
  });

  it("begin again from the stored Jobs where the stream has lost writes", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    scene.store.rollShards();
    // The shard that ended is never delivered.
    await scene.store.deliver(async () => {});
    scene.now += HOUR;
    await scene.count({ again: true });
    for (let runs = 0; runs < 3; runs += 1) await scene.verify();
    await expectExact(scene);
  });

  it("of a release that read the stream itself continue where it stopped", async () => {
    const scene = new CountScene();
    await scene.count();
    for (let n = 0; n < 6; n += 1) await scene.write(listedJob({ uid: `u${n}` }));
    await scene.count();
    // What that release has stored: the same sums, and its positions.
    const { positions } = await endsOf(scene);
    const { value, version } = await position(scene);
    const meta = scene.meta;
    await forget(meta, ["A#", "A-active#"]);
    const key = countPositionKey("A");
    await writeRecord(meta, countPosition, { key, value: { ...value, positions }, expected: version });
    scene.store.deliverAgain();
    await scene.write(listedJob({ uid: "u1", verdict: { state: "Running", final: false, basis: "both" } }));
    await scene.write(listedJob({ uid: "new" }));
    await scene.count();
    await expectExact(scene);
    expect((await position(scene)).value).toMatchObject({ earlier: { positions } });
    scene.now += 49 * HOUR;
    await scene.write(listedJob({ uid: "late" }));
    await scene.count();
    expect((await position(scene)).value.earlier).toBeUndefined();
  });

  it("of a release that was stopped in a round are counted again", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    await scene.count();
    const { positions } = await endsOf(scene);
    const { value, version } = await position(scene);
    const damaged = { ...value, positions: {}, pending: positions };
    await writeRecord(scene.meta, countPosition, { key: countPositionKey("A"), value: damaged, expected: version });
    scene.now += HOUR;
    for (let runs = 0; runs < 3; runs += 1) await scene.verify();
    await expectExact(scene);
  });

  it("are not touched while a function of such a release counts", async () => {
    const scene = new CountScene();
    await scene.count();
    const { value, version } = await position(scene);
    const held = { ...value, positions: {}, heldUntil: scene.now + 1_000 };
    await writeRecord(scene.meta, countPosition, { key: countPositionKey("A"), value: held, expected: version });
    await scene.write(listedJob());
    await expect(scene.deliver()).rejects.toThrow(CountsHeldError);
    expect(await scene.countRecorded()).toMatchObject({ outcome: "held" });
    scene.now += 1_000;
    expect(await scene.count()).toMatchObject({ writes: 1 });
  });

  it("of an upgraded stage begin with the hour after the next; older hours follow one by one", async () => {
    const scene = new CountScene();
    const created = [1, 5, 25].map((hour) => second(hour * 3_600));
    for (const [n, createdAt] of created.entries()) await scene.write(listedJob({ uid: `u${n}`, createdAt }));
    await scene.count();
    expect(await countsOf(scene.ports, EAST)).toBe(NO_JOBS);
    // The newest of them has not rested for ten minutes.
    expect((await scene.verify()).outcome).toBe("resting");
    scene.now += HOUR;
    for (let runs = 0; runs < 4; runs += 1) expect((await scene.verify()).outcome).toBe("verified");
    await expectExact(scene);
    const stored = await readRecord(scene.meta, countPosition, countPositionKey("A"));
    expect(stored?.value.since).toBeLessThan(0);
  });
});
