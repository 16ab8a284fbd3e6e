import { afterEach, describe, expect, it } from "vitest";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import { startReplay } from "../../src/replay/rebuild-projection.ts";
import { compareProjections } from "../../src/replay/compare-projections.ts";
import { endTrial, switchProjection } from "../../src/replay/switch-projection.ts";
import { MeteredTrackers, tell } from "../support/stores/metered-tracker.ts";
import { Story } from "../support/story/story.ts";

const trackers = new MeteredTrackers();
afterEach(() => trackers.clear());

function created(name: string): Story {
  const story = new Story(name);
  story.jobCreated({ backoffLimit: 0 });
  return story;
}

describe("a switch", () => {
  it("lets the other projection answer, goes back, and loses nothing that arrives between", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await embedded.replay({ isTrial: true });
    expect(await embedded.switchProjection()).toEqual({ outcome: "switched", live: "B" });
    await tell(embedded, created("b").facts);
    expect(await compareProjections(embedded)).toMatchObject({ jobs: 2, different: [] });
    expect(await embedded.switchProjection()).toEqual({ outcome: "switched", live: "A" });
    expect(await compareProjections(embedded)).toMatchObject({ jobs: 2, different: [] });
  });

  it("needs a second projection that is complete", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    expect(await switchProjection(embedded.meta, 0)).toEqual({ outcome: "alone", live: "A" });
    expect(await endTrial(embedded.meta)).toEqual({ outcome: "alone", live: "A" });
    await startReplay(embedded.meta, { isTrial: true });
    expect(await switchProjection(embedded.meta, 0)).toEqual({ outcome: "alone", live: "A" });
  });

  it("is refused while a replay fills the second projection", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    let during: unknown;
    await embedded.replay({
      isTrial: true,
      onProgress: () => {
        during ??= switchProjection(embedded.meta, 0);
      },
    });
    expect(await during).toEqual({ outcome: "building", live: "A" });
  });

  it("is not possible after the trial has ended, and a replay ends a trial", async () => {
    const embedded = trackers.open();
    await tell(embedded, created("a").facts);
    await embedded.replay({ isTrial: true });
    expect(await endTrial(embedded.meta)).toEqual({ outcome: "ended", live: "A" });
    expect(await embedded.switchProjection()).toEqual({ outcome: "alone", live: "A" });
    await embedded.replay({ isTrial: true });
    expect(await embedded.replay()).toMatchObject({ outcome: "switched", live: "B" });
    expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "B" });
    expect((await readLivePointer(embedded.meta)).building).toBeUndefined();
  });
});
