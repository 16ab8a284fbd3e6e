import { describe, expect, it } from "vitest";
import { forgetBatches } from "../../src/count/forget-batches.ts";
import { CountScene } from "../support/stores/count-scene.ts";
import { countsOf, recountOf } from "../support/stores/counted-jobs.ts";
import { clusterOf, listedJob } from "../support/story/listed-job.ts";

const EAST = clusterOf("east");

describe("the batches of an erasure", () => {
  it("are removed when they are counted; later ones, and what is delivered again, count as before", async () => {
    const scene = new CountScene();
    await scene.count();
    await scene.write(listedJob());
    await scene.count();
    await scene.write(listedJob({ uid: "later", namespace: "other" }));
    await scene.deliver();
    const removed: string[] = [];
    const remove = async (key: string) => {
      removed.push(key);
      scene.meta.remove("countBatch", key);
    };
    await forgetBatches({ meta: scene.meta, remove });
    expect(removed).toHaveLength(1);
    scene.store.deliverAgain();
    await scene.count();
    expect(await countsOf(scene.ports, EAST)).toBe(recountOf(scene.store.states, EAST));
  });
});
