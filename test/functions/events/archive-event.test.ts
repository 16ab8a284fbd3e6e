import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { onArchive } from "../../../functions/events/archive-event.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import type { Projections } from "../../../src/ports/projections.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { KilledError } from "../../support/killed/killed-at.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

/** S3 in an outage. */
class RefusingObjects extends MemoryObjects {
  override list(): AsyncGenerator<never> {
    throw new Error("S3 cannot be reached.");
  }
}

let scene: PackedScene;
let told: FunctionJournal;
let now: number;
beforeEach(async () => {
  scene = new PackedScene();
  told = new FunctionJournal();
  told.remainingMillis = 900_000;
  now = EIGHT + 3 * HOUR + 20 * MINUTE;
  await scene.tell(endedJob({ name: "a", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  await scene.tell(
    endedJob({ name: "b", createdAt: EIGHT + HOUR }),
    EIGHT + HOUR + 5 * MINUTE,
    EIGHT + HOUR + 6 * MINUTE,
  );
});

function run(store = scene.store) {
  const projections: Projections = { open: () => scene.ports.jobs, runs: () => new MemoryJobStore() };
  const { log, meta } = scene.ports;
  const dependencies = {
    log,
    meta,
    projections,
    store,
    clock: { now: () => now },
    newId: () => "archive-1",
    standardDays: 400,
  };
  return onArchive({ ...dependencies, count: told.count, logger: told.logger }, told.context);
}

describe("the archive function", () => {
  it("archives and verifies the hours that have closed, once", async () => {
    expect(await run()).toMatchObject({ hours: 3, verified: 3, isBehind: false });
    expect(told.counts).toEqual({ ArchiveProblems: 0, ArchiveLagSeconds: 20 * 60 });
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
    expect(await run()).toMatchObject({ hours: 0, verified: 0 });
  });

  it("has no lag on a stage that has no log", async () => {
    scene = new PackedScene();
    expect(await run()).toMatchObject({ hours: 0, verified: 0 });
    expect(told.counts).toEqual({ ArchiveProblems: 0, ArchiveLagSeconds: 0 });
  });

  it("begins no hour that Lambda would interrupt, and the next invocation continues", async () => {
    told.remainingMillis = 200_000;
    expect(await run()).toMatchObject({ hours: 0, isBehind: true });
    told.remainingMillis = 900_000;
    expect(await run()).toMatchObject({ hours: 3, isBehind: false });
  });

  it("verifies first what an earlier invocation had no time for", async () => {
    await scene.archive(now);
    told.remainingMillis = 200_000;
    expect(await run()).toMatchObject({ hours: 0, verified: 3 });
  });

  it("continues after an outage of S3, which the lag shows", async () => {
    await run();
    now += 4 * HOUR;
    await expect(run(new RefusingObjects())).rejects.toThrow("S3 cannot be reached.");
    expect(told.counts.ArchiveLagSeconds).toBe(20 * 60 + 4 * 3_600 + 20 * 60);
    expect(await run()).toMatchObject({ hours: 4, verified: 4 });
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });

  it("continues when it was killed before any write, and the archive has the same bytes", async () => {
    const whole = new MemoryObjects();
    await scene.archive(now, whole);
    let killed = 0;
    for (let writes = 0; ; writes += 1) {
      const store = new MemoryObjects();
      store.writesLeft = writes;
      try {
        await run(store);
        break;
      } catch (cause) {
        if (!(cause instanceof KilledError)) throw cause;
        killed += 1;
      }
      store.writesLeft = Infinity;
      await run(store);
      expect(store.objects).toEqual(whole.objects);
    }
    expect(killed).toBeGreaterThan(8);
  });

  it("writes one chain if it runs twice at once", async () => {
    await Promise.all([run(), run()]);
    const { hours, problems } = await verifyArchive(scene.store);
    expect([hours, problems]).toEqual([3, []]);
  });

  it("reports a changed object, and verifies nothing beyond it", async () => {
    await scene.archive(now);
    const key = scene.store.keys.find((each) => each.startsWith("segments/")) ?? "";
    scene.store.objects.set(key, Buffer.from("changed"));
    expect(await run()).toMatchObject({ verified: 0 });
    expect(told.counts.ArchiveProblems).toBeGreaterThan(0);
    expect(told.lines.find((line) => line.startsWith("ERROR"))).toContain(key);
  });
});
