import { describe, expect, it } from "vitest";
import { openPosition } from "../../src/count/open-position.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../support/stores/count-scene.ts";
import { listedJob } from "../support/story/listed-job.ts";

const metrics = { isShown: true };

describe("how far a projection is counted", () => {
  it("is stored at once: a new stage counts from the beginning", async () => {
    const scene = new CountScene();
    const opened = await openPosition({ ...scene.ports, metrics }, scene.now);
    expect(opened).toMatchObject({ version: 1, value: { since: EARLIEST, metricsSince: EARLIEST } });
    await scene.write(listedJob());
    expect(await openPosition({ ...scene.ports, metrics }, scene.now)).toEqual(opened);
  });

  it("begins with the hour after the next in a stage that has Jobs", async () => {
    const scene = new CountScene();
    await scene.write(listedJob());
    const { value } = await openPosition({ ...scene.ports, metrics }, scene.now);
    expect(value).toMatchObject({ since: DAY_BEGIN + 28 * HOUR, metricsSince: DAY_BEGIN + 28 * HOUR });
  });

  it("has metrics of later Jobs where a release without metrics has counted", async () => {
    const scene = new CountScene();
    await openPosition(scene.ports, scene.now);
    const { value } = await openPosition({ ...scene.ports, metrics }, scene.now);
    expect(value).toMatchObject({ since: EARLIEST, metricsSince: DAY_BEGIN + 28 * HOUR });
  });
});
