import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { STATES } from "../../src/job/model/states.ts";
import { countPositionKey } from "../../src/ports/meta-key.ts";
import { countPosition } from "../../src/counts/count-records.ts";
import { readRecord } from "../../src/ports/records/record-codec.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { countsOf, recountOf } from "../support/stores/counted-jobs.ts";
import { Process } from "../support/stores/killed-at.ts";
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
  | { readonly does: "countKilled"; readonly request: number }
  | { readonly does: "count" | "twoAtOnce" | "rollShards" | "wait" | "verify" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: drawnJob.map((job) => ({ does: "write" as const, job })) },
  { weight: 2, arbitrary: drawnJob.map((job) => ({ does: "remove" as const, job })) },
  { weight: 2, arbitrary: fc.nat(25).map((request) => ({ does: "countKilled" as const, request })) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("count" as const, "twoAtOnce" as const, "rollShards" as const, "wait" as const, "verify" as const)
      .map((does) => ({ does })),
  },
);

async function take(scene: CountScene, taken: Step): Promise<void> {
  switch (taken.does) {
    case "write":
      return scene.write(taken.job);
    case "remove":
      return scene.store.remove(CountScene.keyOf(taken.job));
    case "countKilled":
      return scene.countKilled(taken.request);
    case "count":
      await scene.count();
      return;
    case "twoAtOnce":
      await Promise.all([scene.count(), scene.count()]);
      return;
    case "rollShards":
      return scene.store.rollShards();
    case "wait":
      scene.now += HOUR;
      return;
    case "verify":
      expect((await scene.verify()).mismatches).toBe(0);
      return;
  }
}

describe("counts from the stream of a projection", () => {
  it("are those of a recount after any history, however often counting is killed and begins again", async () => {
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
      { numRuns: 60 },
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
    const killed = new Process(3);
    await scene.count({}, { meta: killed.over(scene.meta) }).catch(() => {});
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

  it("state until when every write is in them: waiting writes and a killed round are not", async () => {
    const scene = new CountScene();
    const countedTo = async () => (await readRecord(scene.meta, countPosition, countPositionKey("A")))?.value.countedTo;
    const settled = () => scene.now - 20_000;
    await scene.count();
    const before = settled();
    expect(await countedTo()).toBe(before);
    for (let n = 0; n < 30; n += 1) await scene.write(listedJob({ uid: `u${n}`, createdAt: second(n * 3_600) }));
    scene.now += 240_000;
    await scene.count({ eager: false });
    expect(await countedTo()).toBe(before);
    const ended = settled();
    await scene.countKilled(5);
    expect(await countedTo()).toBe(before);
    // The next run finishes that round, and has no time for another one.
    await scene.count({ hasTime: () => false });
    expect(await countedTo()).toBe(ended);
    await expectExact(scene);
  });

  it("state it again each minute in which nothing was written", async () => {
    const scene = new CountScene();
    await scene.count();
    const records = () => scene.meta.read("position", countPositionKey("A"));
    scene.now += 59_000;
    const before = await records();
    await scene.count();
    expect(await records()).toEqual(before);
    scene.now += 1_000;
    await scene.count();
    expect(await records()).not.toEqual(before);
  });

  it("begin again where the stream has lost writes", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    scene.store.rollShards();
    scene.store.trim();
    expect(await scene.count()).toMatchObject({ isReset: true });
    const stored = await readRecord(scene.meta, countPosition, countPositionKey("A"));
    expect(stored?.value.since).toBe(DAY_BEGIN + 28 * HOUR);
    await scene.verify();
    await expectExact(scene);
  });

  it("of an upgraded stage begin with the hour after the next; older hours follow one by one", async () => {
    const scene = new CountScene();
    const created = [1, 5, 25].map((hour) => second(hour * 3_600));
    for (const [n, createdAt] of created.entries()) await scene.write(listedJob({ uid: `u${n}`, createdAt }));
    scene.store.rollShards();
    scene.store.trim();
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
