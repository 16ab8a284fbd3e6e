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

describe("the gauge of a Pod", () => {
  it.each<Told>([
    ["is active after its creation", () => {}, "active", false, 0],
    ["is active while a container waits, with its restarts", waits, "active", false, 2],
    ["is active and ready while condition Ready is True", runs, "active", true, 3],
    ["is active and not ready after condition Ready became False", (s) => (runs(s), waits(s)), "active", false, 2],
    [
      "is terminating and not ready while it is being deleted, with its restarts",
      (s) => (runs(s), s.podDeletionRequested("a", "Running")),
      "terminating",
      false,
      3,
    ],
    ["is none after it ended", (s) => (runs(s), s.podTerminated("a", "Failed")), undefined, false, 0],
    ["is none after it was removed", (s) => (runs(s), s.podDeleted("a")), undefined, false, 0],
    ["is none after it is missing from a list", (s) => (runs(s), s.podVanished("a")), undefined, false, 0],
    [
      "is active in an unknown phase, without restarts",
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

  it("is none after the Job released it", () => {
    const story = new Story();
    story.podCreated("a");
    const { created } = story.pod("a");
    if (created === undefined) throw new Error("A story keeps what it was told.");
    const { kind: _, namespace: __, name: ___, createdAt: ____, containers: _____, ...stamp } = created;
    expect(gaugeOf({ ...story.pod("a"), released: { ...stamp, kind: "PodReleased" } })).toBeUndefined();
  });
});
