import { describe, expect, it } from "vitest";
import { clusterOf } from "../../support/story/listed-job.ts";
import { nightlyRun } from "../../support/story/compared-story.ts";
import type { Story } from "../../support/story/story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { readImages } from "../../../src/query/compare/read-images.ts";
import { loadJob } from "../../../src/query/job/load-job.ts";

const EAST = clusterOf("east");
const WITH_IMAGES = { image: "0f9e8d7c6b5a", imageDigest: "3fbc63216742" };

async function loaded(story: Story, factsInSegment?: number) {
  const { projections, ...stores } = await storesWithFacts(story.facts, factsInSegment);
  const wanted = { cluster: EAST, namespace: "default", name: "nightly-0" };
  const job = await loadJob({ jobs: projections.open("A"), ...stores }, "everything", wanted);
  if (job.outcome !== "loaded") throw new Error(job.outcome);
  return job;
}

describe("the images of a Job", () => {
  it("are read from the log: its state has none", async () => {
    const job = await loaded(nightlyRun(0, WITH_IMAGES));
    expect(await readImages(job)).toEqual({
      images: new Map([["work", "0f9e8d7c6b5a"]]),
      digests: new Map([["work", new Set(["3fbc63216742"])]]),
    });
    expect(JSON.stringify([...(job.view.job.specified?.values() ?? [])])).not.toContain("0f9e8d7c6b5a");
  });

  it("are gone with the log", async () => {
    const { view } = await loaded(nightlyRun(0, WITH_IMAGES));
    const found = await readImages({ view, log: { read: async () => undefined } });
    expect(found).toEqual({ images: new Map(), digests: new Map(), unread: "expired" });
  });

  it("are not read of Pods in another namespace", async () => {
    const story = nightlyRun(0, WITH_IMAGES);
    story.podCreated("stranger", { namespace: "other" });
    story.containerEnded("stranger", 0, 1, { imageDigest: "badbadbadbad" });
    expect((await readImages(await loaded(story))).digests.get("work")).toEqual(new Set(["3fbc63216742"]));
  });

  it("are those of the first 24 segments", async () => {
    const story = nightlyRun(0, WITH_IMAGES);
    for (let restarts = 0; restarts < 30; restarts += 1) story.podObserved("a", { restarts });
    const found = await readImages(await loaded(story, 1));
    expect([found.images.get("work"), found.unread]).toEqual(["0f9e8d7c6b5a", "truncated"]);
  });
});
