import { describe, expect, it } from "vitest";
import { storedSums } from "../../src/count/stored-sums.ts";
import { EARLIEST, LATEST } from "../../src/job/model/instant.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { clusterOf, listedJob } from "../support/story/listed-job.ts";

describe("the sums of a projection", () => {
  it("say nothing before Jobs are counted for the first time", async () => {
    expect(await storedSums(new CountScene().ports).counted()).toBeUndefined();
  });

  it("have the Jobs that were counted, and say since when these were created", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    await scene.count();
    const sums = storedSums(scene.ports);
    expect(await sums.counted()).toMatchObject({ since: EARLIEST });
    const cells = [];
    for await (const cell of sums.read(clusterOf("east"), { from: EARLIEST, to: LATEST, by: "owner" })) {
      cells.push(cell);
    }
    expect(cells).toMatchObject([{ jobs: 1 }]);
  });
});
