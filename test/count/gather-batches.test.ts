import { beforeEach, describe, expect, it } from "vitest";
import { listShards, writeShard } from "../../src/count/counted-shard.ts";
import { gatherBatches } from "../../src/count/gather-batches.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { listedJob, second } from "../support/story/listed-job.ts";

const ALL = { since: EARLIEST };
let scene: CountScene;
let begin: number;
/** Two batches of one shard, a minute apart. */
beforeEach(async () => {
  scene = new CountScene();
  begin = scene.now;
  scene.store.rollShards(1);
  await scene.write(listedJob({ uid: "u1" }));
  await scene.deliver();
  scene.now += 60_000;
  await scene.write(listedJob({ uid: "u2", createdAt: second(7_200) }));
  await scene.deliver();
});

describe("the batches that are in no sum", () => {
  it("are gathered with the time of their first and last write", async () => {
    const { differences, countedTo, isPartial } = await gatherBatches(scene.ports, ALL);
    expect(differences).toMatchObject({ writes: 2, oldestAt: begin });
    expect({ countedTo, isPartial }).toEqual({ countedTo: begin + 60_000, isPartial: false });
  });

  it("are as of the shard that is furthest behind", async () => {
    scene.store.rollShards(1);
    scene.now += 60_000;
    await scene.write(listedJob({ uid: "u3" }));
    await scene.deliver();
    expect((await gatherBatches(scene.ports, ALL)).countedTo).toBe(begin + 60_000);
  });

  it("are left out from the first one with a later write on", async () => {
    const { differences } = await gatherBatches(scene.ports, { ...ALL, before: begin + 1 });
    expect(differences.writes).toBe(1);
    expect((await gatherBatches(scene.ports, { ...ALL, before: begin })).ends).toEqual([]);
  });

  it("are some of many", async () => {
    expect(await gatherBatches(scene.ports, { ...ALL, most: 1 })).toMatchObject({ isPartial: true });
  });

  it("of an interrupted round are those that it had", async () => {
    const { ends } = await gatherBatches(scene.ports, { ...ALL, most: 1 });
    const [shard] = await listShards(scene.ports, EARLIEST);
    const [end] = ends;
    if (shard === undefined || end === undefined) throw new Error("There is no batch.");
    const { batch, to } = end;
    await writeShard(scene.ports, { ...shard, value: { next: { batch, to, round: 4 } } });
    expect((await gatherBatches(scene.ports, { ...ALL, round: 4 })).differences.writes).toBe(1);
    expect((await gatherBatches(scene.ports, { ...ALL, round: 3 })).differences.writes).toBe(0);
  });

  it("have no hours that are not counted", async () => {
    const { differences } = await gatherBatches(scene.ports, { since: scene.now });
    expect([differences.writes, differences.touched()]).toEqual([2, []]);
  });
});
