import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { describe, expect, it } from "vitest";
import { onCount, type ScheduledCount } from "../../../functions/events/count-event.ts";
import { recordBatch } from "../../../src/count/record-batch.ts";
import { hourKey, readSum, writeSum } from "../../../src/count/sums.ts";
import { RecentFindings } from "../../../src/query/cron-jobs/recent-findings.ts";
import { CountTable } from "../../../src/count/count-table.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { countsOf, recountOf } from "../../support/stores/counted-jobs.ts";
import { StreamedJobStore } from "../../support/stores/streamed-job-store.ts";
import { clusterOf, listedJob, second } from "../../support/story/listed-job.ts";

const east = clusterOf("east");

/** The function over two projections, of which A is live. */
function counting() {
  const scene = new CountScene();
  const idle = new StreamedJobStore(() => scene.now);
  const told = new FunctionJournal();
  const paused: number[] = [];
  const published: [string, ReadonlyMap<string, number>][] = [];
  const stores = { A: scene.store, B: idle };
  const dependencies = {
    projections: {
      open: (name: "A" | "B") => stores[name],
      runs: () => new MemoryJobStore(),
      clear: async () => "empty" as const,
    },
    meta: scene.meta,
    clock: { now: () => scene.now },
    pause: async (milliseconds: number) => paused.push(milliseconds),
    recent: new RecentFindings(),
    count: told.count,
    logger: told.logger,
    metrics: { maxSeries: 1_000, by: "cluster" as const },
    publishOf: (cluster: string, figures: ReadonlyMap<string, number>) => void published.push([cluster, figures]),
  };
  const run = async (event: ScheduledCount = {}) => {
    await scene.deliver();
    await idle.deliver((writes) => recordBatch({ meta: scene.meta, projection: "B" }, writes, scene.now));
    return onCount(dependencies, event, told.context);
  };
  return { scene, idle, told, paused, published, run };
}

describe("the function that counts Jobs", () => {
  it("counts the writes of both projections", async () => {
    const { scene, idle, told, run } = counting();
    await run();
    await scene.write(listedJob());
    const key = CountScene.keyOf(listedJob({ uid: "idle" }));
    const stored = await scene.store.read(CountScene.keyOf(listedJob()));
    if (stored !== undefined) await idle.write(key, stored, 0);
    // The writes of the idle projection are kept apart for two minutes.
    scene.now += 121_000;
    expect((await run()).counted).toMatchObject({ A: { writes: 1 }, B: { writes: 1 } });
    for (const [projection, { states }] of [["A", scene.store] as const, ["B", idle] as const]) {
      expect(await countsOf({ meta: scene.meta, projection }, east)).toBe(recountOf(states, east));
    }
    expect(told.counts).toMatchObject({ UncountedSeconds: 0, CountMismatches: 0 });
  });

  it("counts an hour again once an hour, and corrects and reports what was wrong", async () => {
    const { scene, told, paused, run } = counting();
    await run();
    expect(paused).toHaveLength(1);
    await scene.write(listedJob({ createdAt: second(22 * 3_600) }));
    await run();
    expect(paused).toHaveLength(1);
    const of = { ...scene.ports, cluster: east };
    const hour = hourKey(of, DAY_BEGIN + 22 * HOUR);
    await writeSum(of, hour, { ...(await readSum(of, hour)), table: new CountTable() });
    scene.now += HOUR;
    expect((await run()).verified).toMatchObject({ outcome: "verified", mismatches: 1 });
    expect(told.counts).toMatchObject({ CountMismatches: 1 });
    expect(told.lines.join("\n")).toContain("ERROR Counts of Jobs were wrong, and were corrected.");
    expect(await countsOf(scene.ports, east)).toBe(recountOf(scene.store.states, east));
  });

  it("says how long writes have waited", async () => {
    const { scene, told, run } = counting();
    await run();
    for (let n = 0; n < 30; n += 1) await scene.write(listedJob({ uid: `u${n}`, createdAt: second(n * 3_600) }));
    scene.now += 120_000;
    expect((await run()).counted.A).toMatchObject({ writes: 0, behindMillis: 120_000 });
    expect(told.counts).toMatchObject({ UncountedSeconds: 120 });
  });

  it("counts everything again from the stored Jobs on request", async () => {
    const { scene, run } = counting();
    await run();
    await scene.write(listedJob());
    await scene.store.deliver(async () => {});
    scene.now += HOUR;
    expect((await run()).counted.A).toMatchObject({ writes: 0 });
    await run({ again: true });
    for (let runs = 0; runs < 3; runs += 1) await run();
    expect(await countsOf(scene.ports, east)).toBe(recountOf(scene.store.states, east));
  });
});
