import { describe, expect, it } from "vitest";
import { CountTable } from "../../src/count/count-table.ts";
import { DAY_SUMS, dayKey, hourKey, readSum, writeSum } from "../../src/count/sums.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { countsOf, recountOf } from "../support/stores/counted-jobs.ts";
import { clusterOf, listedJob, second } from "../support/story/listed-job.ts";

const east = clusterOf("east");
/** The first hour that is counted again at 02:00 of the second day: 23:00. */
const LATEST = second(23 * 3_600);

/** A stage with two Jobs in the hour that is counted again first, and one in another hour of its day. */
async function countedScene(): Promise<CountScene> {
  const scene = new CountScene();
  await scene.count();
  await scene.write(listedJob({ uid: "u1", createdAt: LATEST }));
  await scene.write(listedJob({ uid: "u2", createdAt: LATEST }));
  await scene.write(listedJob({ uid: "u3", createdAt: second(3_600) }));
  await scene.count();
  return scene;
}

function sumsOf({ ports }: CountScene) {
  return { ...ports, cluster: east };
}

async function damage(scene: CountScene, key: string): Promise<void> {
  const of = sumsOf(scene);
  await writeSum(of, key, { ...(await readSum(of, key)), table: new CountTable() });
}

describe("counts of an hour that are compared with its Jobs", () => {
  it("are left as they are where they agree", async () => {
    const scene = await countedScene();
    expect(await scene.verify()).toEqual({ outcome: "verified", mismatches: 0, hour: DAY_BEGIN + 23 * HOUR });
  });

  it("are corrected where they do not", async () => {
    const scene = await countedScene();
    await damage(scene, hourKey(sumsOf(scene), DAY_BEGIN + 23 * HOUR));
    expect(await countsOf(scene.ports, east)).not.toBe(recountOf(scene.store.states, east));
    expect(await scene.verify()).toMatchObject({ outcome: "verified", mismatches: 1 });
    expect(await countsOf(scene.ports, east)).toBe(recountOf(scene.store.states, east));
  });

  it("are corrected where they count a cluster without Jobs", async () => {
    const scene = await countedScene();
    for (const uid of ["u1", "u2"]) scene.store.states.delete(`east|${uid}`);
    expect(await scene.verify()).toMatchObject({ mismatches: 1 });
    expect(await countsOf(scene.ports, east)).toBe(recountOf(scene.store.states, east));
  });

  it.each(DAY_SUMS)("are corrected in the sum of the day by %s", async (by) => {
    const scene = await countedScene();
    // The first time adds the hour to its day.
    await scene.verify();
    await damage(scene, dayKey(sumsOf(scene), by, "20260101"));
    expect(await countsOf(scene.ports, east, { by })).not.toBe(recountOf(scene.store.states, east, { by }));
    scene.now += HOUR;
    expect(await scene.verify()).toMatchObject({ outcome: "verified", mismatches: 1 });
    expect(await countsOf(scene.ports, east, { by })).toBe(recountOf(scene.store.states, east, { by }));
  });

  it("are not judged while a Job of the hour changes, and tried again", async () => {
    const scene = await countedScene();
    const change = async () => {
      await scene.write(listedJob({ uid: "u4", createdAt: LATEST }));
      await scene.deliver();
    };
    expect(await scene.verify({ pause: change })).toEqual({ outcome: "busy", mismatches: 0 });
    expect(await scene.verify()).toMatchObject({ outcome: "verified", mismatches: 0 });
  });

  it("are judged while Jobs of other hours change", async () => {
    const scene = await countedScene();
    const change = async () => {
      await scene.write(listedJob({ uid: "u4", createdAt: second(9 * 3_600) }));
      await scene.deliver();
    };
    expect(await scene.verify({ pause: change })).toMatchObject({ outcome: "verified", mismatches: 0 });
    await scene.count();
    expect(await countsOf(scene.ports, east)).toBe(recountOf(scene.store.states, east));
  });

  it("are not judged where time runs out", async () => {
    const scene = await countedScene();
    let asked = 0;
    const hasTime = () => {
      asked += 1;
      return asked < 3;
    };
    expect((await scene.verify({ hasTime })).outcome).toBe("busy");
  });

  it("are those of the hour before an hour later, and rest in between", async () => {
    const scene = await countedScene();
    await scene.verify();
    expect(await scene.verify()).toEqual({ outcome: "resting", mismatches: 0 });
    scene.now += HOUR;
    expect(await scene.verify()).toMatchObject({ outcome: "verified", hour: DAY_BEGIN + 22 * HOUR });
  });

  it("are left to another process that changes them", async () => {
    const scene = await countedScene();
    await scene.write(listedJob({ uid: "u5" }));
    await scene.deliver();
    await scene.countKilled(7);
    scene.now -= 7 * 60_000;
    expect(await scene.verify()).toEqual({ outcome: "busy", mismatches: 0 });
  });
});
