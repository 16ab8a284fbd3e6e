import { describe, expect, it } from "vitest";
import { type Gauge, gaugeOf, isReady, liveRestarts } from "../../../src/job/accounting/gauges.ts";
import { Story } from "../../support/story/story.ts";

type Told = readonly [
  fact: string,
  tell: (story: Story) => void,
  gauge: Gauge | undefined,
  ready: boolean,
  restarts: number,
];
const waits = (story: Story) => story.podObserved("a", { phase: "Pending", ready: false, restarts: 2 });
const runs = (story: Story) => story.podObserved("a", { restarts: 3 });

describe("the gauge a Pod is in", () => {
  it.each<Told>([
    ["is active from when it is made", () => {}, "active", false, 0],
    ["is active while it waits, its restarts counted", waits, "active", false, 2],
    ["is active and ready when it says so", runs, "active", true, 3],
    ["is active and not ready when it says so later", (s) => (runs(s), waits(s)), "active", false, 2],
    [
      "is terminating and not ready when it is being deleted, its restarts still counted",
      (s) => (runs(s), s.podDeletionRequested("a", "Running")),
      "terminating",
      false,
      3,
    ],
    ["is none once it ended", (s) => (runs(s), s.podTerminated("a", "Failed")), undefined, false, 0],
    ["is none once it is gone", (s) => (runs(s), s.podDeleted("a")), undefined, false, 0],
    ["is none once it vanished", (s) => (runs(s), s.podVanished("a")), undefined, false, 0],
    [
      "is active in a phase that nobody knows, without restarts",
      (s) => s.podObserved("a", { phase: "Unknown", ready: false, restarts: 3 }),
      "active",
      false,
      0,
    ],
  ])("%s", (_, tell, gauge, ready, restarts) => {
    const story = new Story();
    story.podCreated("a");
    tell(story);
    const pod = story.pod("a");
    expect(gaugeOf(pod)).toBe(gauge);
    expect(isReady(pod)).toBe(ready);
    expect(liveRestarts(pod)).toBe(restarts);
  });

  it("is none once the Job let it go", () => {
    const story = new Story();
    story.podCreated("a");
    const { created } = story.pod("a");
    if (created === undefined) throw new Error("A story keeps what it was told.");
    const { kind: _, namespace: __, name: ___, createdAt: ____, containers: _____, ...stamp } = created;
    expect(gaugeOf({ ...story.pod("a"), released: { ...stamp, kind: "PodReleased" } })).toBeUndefined();
  });
});
