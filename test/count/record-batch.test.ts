import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type CountBatch, unpackBatch } from "../../src/count/count-batch.ts";
import { listBatches, openShard } from "../../src/count/counted-shard.ts";
import { gatherBatches } from "../../src/count/gather-batches.ts";
import { recordBatch } from "../../src/count/record-batch.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import type { StreamedWrite } from "../../src/ports/streams/streamed-write.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { listedJob } from "../support/story/listed-job.ts";
import { SumsConflictError } from "../../src/count/metrics/sums/sums-errors.ts";

let scene: CountScene;
beforeEach(async () => {
  scene = new CountScene();
  await scene.count();
});

/** The writes of the only shard with any. */
async function streamed(jobs: number): Promise<readonly StreamedWrite[]> {
  const all: StreamedWrite[] = [];
  scene.store.rollShards(1);
  for (let n = 0; n < jobs; n += 1) await scene.write(listedJob({ uid: `u${n}` }));
  await scene.store.deliver(async ({ writes }) => void all.push(...writes));
  return all;
}

async function recorded(): Promise<readonly CountBatch[]> {
  const batches: CountBatch[] = [];
  for await (const { key, stored } of listBatches(scene.ports, await openShard(scene.ports, "s"))) {
    batches.push(unpackBatch(key, stored));
  }
  return batches;
}

const record = (writes: readonly StreamedWrite[]) => recordBatch(scene.ports, { shard: "s", writes }, scene.now);

describe("a batch of delivered writes", () => {
  it("is recorded without the writes that are recorded already", async () => {
    const writes = await streamed(6);
    expect(await record(writes.slice(0, 4))).toMatchObject({ writes: 4 });
    expect(await record(writes.slice(2, 3))).toMatchObject({ writes: 0 });
    expect(await record(writes.slice(1, 6))).toMatchObject({ writes: 2 });
    expect(await record([...writes, ...writes])).toMatchObject({ writes: 0 });
    expect((await recorded()).map((batch) => batch.writes)).toEqual([4, 2]);
  });

  it("is recorded by one of two processes", async () => {
    const writes = await streamed(3);
    const outcomes = await Promise.allSettled([record(writes), record(writes.slice(0, 2))]);
    const failed = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(failed).toEqual([expect.any(SumsConflictError)]);
    expect(await recorded()).toHaveLength(1);
  });

  it("says how long writes have waited since", async () => {
    const writes = await streamed(2);
    await record(writes.slice(0, 1));
    scene.now += 240_000;
    expect(await record(writes)).toMatchObject({ writes: 1, behindMillis: 240_000 });
  });

  it("is divided where it would be too large for a record", async () => {
    scene.store.rollShards(1);
    for (let n = 0; n < 60; n += 1) {
      const hashes = Array.from({ length: 120 }, (_, at) => createHash("sha512").update(`${n} ${at}`).digest("base64"));
      const name = hashes.join("");
      await scene.write(listedJob({ uid: `u${n}`, owner: { kind: "CronJob", name, uid: "x" } }));
    }
    await scene.store.deliver(({ writes }) => record(writes));
    const batches = await recorded();
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.reduce((sum, { writes }) => sum + writes, 0)).toBe(60);
  });

  it("has what its Jobs contribute only where the metrics of the projection are not shown", async () => {
    const writes = await streamed(2);
    for (const isShown of [true, false]) {
      const shard = `shown ${isShown}`;
      await recordBatch({ ...scene.ports, metrics: { isShown } }, { shard, writes }, scene.now);
    }
    const { jobs } = await gatherBatches(scene.ports, { since: EARLIEST });
    expect(jobs.map(({ key }) => key.jobUid)).toEqual(writes.map(({ key }) => key.jobUid));
  });
});
