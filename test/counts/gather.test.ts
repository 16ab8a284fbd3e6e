import { describe, expect, it } from "vitest";
import { gather } from "../../src/counts/gather.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { StreamTrimmedError } from "../../src/ports/streams/job-stream.ts";
import { CLOSED, type StreamPositions } from "../../src/counts/count-records.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { listedJob } from "../support/story/listed-job.ts";

const ALL = { from: {}, since: EARLIEST };

async function sceneWith(jobs: number, from = 0): Promise<CountScene> {
  const scene = new CountScene();
  await write(scene, jobs, from);
  return scene;
}

async function write(scene: CountScene, jobs: number, from = 0): Promise<void> {
  for (let n = from; n < from + jobs; n += 1) await scene.write(listedJob({ uid: `u${n}` }));
}

function jobsOf({ differences }: Awaited<ReturnType<typeof gather>>): number {
  return differences.hours().reduce((sum, { table }) => sum + table.jobs, 0);
}

describe("gathering the writes of a stream", () => {
  it("reads all shards from their oldest writes on, then only what is new", async () => {
    const scene = await sceneWith(10);
    const first = await gather(scene.store.stream, ALL);
    expect(jobsOf(first)).toBe(10);
    await write(scene, 3, 10);
    expect(jobsOf(await gather(scene.store.stream, { ...ALL, from: first.positions }))).toBe(3);
  });

  it("stops after about as many writes as asked, and continues there", async () => {
    const { store } = await sceneWith(40);
    let from: StreamPositions = {};
    const read: number[] = [];
    for (let isPartial = true; isPartial;) {
      const gathered = await gather(store.stream, { from, since: EARLIEST, most: 7 });
      read.push(jobsOf(gathered));
      ({ positions: from, isPartial } = gathered);
    }
    expect(read.reduce((sum, jobs) => sum + jobs, 0)).toBe(40);
    expect(Math.max(...read)).toBeLessThan(7 + 3);
  });

  it("reads an interrupted round up to where it ended, though more was written", async () => {
    const scene = await sceneWith(10);
    const round = await gather(scene.store.stream, { ...ALL, most: 4 });
    await write(scene, 20, 10);
    scene.store.rollShards();
    await write(scene, 5, 30);
    const again = await gather(scene.store.stream, { ...ALL, to: round.positions, most: Infinity });
    expect(again.differences.writes).toBe(round.differences.writes);
    expect(jobsOf(again)).toBe(jobsOf(round));
  });

  it("reads a shard after the one that it continues, and marks the closed ones", async () => {
    const scene = await sceneWith(8);
    scene.store.rollShards();
    await write(scene, 8, 8);
    const { positions, differences } = await gather(scene.store.stream, ALL);
    expect(differences.writes).toBe(16);
    expect(Object.values(positions).filter((position) => position === CLOSED)).toHaveLength(2);
    expect(Object.keys(positions)).toHaveLength(4);
  });

  it("does not read a shard while the one that it continues is not read to its end", async () => {
    const scene = await sceneWith(20);
    scene.store.rollShards();
    await write(scene, 8, 20);
    const { positions } = await gather(scene.store.stream, { ...ALL, most: 1 });
    expect(Object.keys(positions)).toHaveLength(1);
  });

  it("forgets a closed shard that was read, and reports one that was not", async () => {
    const scene = await sceneWith(8);
    const { positions: open } = await gather(scene.store.stream, ALL);
    scene.store.rollShards();
    const { positions: closed } = await gather(scene.store.stream, { ...ALL, from: open });
    scene.store.trim();
    expect(Object.keys((await gather(scene.store.stream, { ...ALL, from: closed })).positions)).toHaveLength(2);
    await expect(gather(scene.store.stream, { ...ALL, from: open })).rejects.toThrow(StreamTrimmedError);
  });
});
