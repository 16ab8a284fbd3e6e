import { beforeEach, describe, expect, it } from "vitest";
import { awaitCounted, CountsBehindError } from "../../src/count/await-counted.ts";
import { countPosition } from "../../src/count/count-records.ts";
import { countPositionKey } from "../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { listedJob } from "../support/story/listed-job.ts";

const MINUTE = 60_000;
let scene: CountScene;
beforeEach(() => {
  scene = new CountScene();
});

/** Waits for what was written until now; each pause takes a minute, in which `advance` happens. */
async function minutesUntilCounted(advance: (minute: number) => Promise<unknown> = async () => undefined) {
  const begin = scene.now;
  const pause = async () => {
    scene.now += MINUTE;
    await advance((scene.now - begin) / MINUTE);
  };
  await awaitCounted({ meta: scene.meta, now: () => scene.now, pause }, begin);
  return (scene.now - begin) / MINUTE;
}

describe("the counts of a stage", () => {
  it("are awaited until recorded writes are in the sums", async () => {
    await scene.count();
    await scene.write(listedJob());
    await scene.deliver();
    expect(await minutesUntilCounted((minute) => (minute === 4 ? scene.count() : Promise.resolve()))).toBe(4);
  });

  it("are awaited for as long as Lambda may take to deliver a write", async () => {
    await scene.count();
    expect(await minutesUntilCounted()).toBe(2);
  });

  it("do not wait for later writes", async () => {
    await scene.count();
    const write = async (minute: number) => {
      await scene.write(listedJob({ uid: `u${minute}` }));
      await scene.deliver();
    };
    expect(await minutesUntilCounted(write)).toBe(2);
  });

  it("are not awaited where nothing is counted", async () => {
    expect(await minutesUntilCounted()).toBe(0);
  });

  it("are behind while a round is in some sums only", async () => {
    await scene.count();
    const key = countPositionKey("A");
    const stored = await readRecord(scene.meta, countPosition, key);
    if (stored === undefined) throw new Error("Nothing is counted.");
    const value = { ...stored.value, applying: 1 };
    await writeRecord(scene.meta, countPosition, { key, value, expected: stored.version });
    await expect(minutesUntilCounted()).rejects.toThrow(CountsBehindError);
  });

  it("are behind while recorded writes are in no sum", async () => {
    await scene.count();
    await scene.write(listedJob());
    await scene.deliver();
    await expect(minutesUntilCounted()).rejects.toThrow("repeat the command");
  });
});
