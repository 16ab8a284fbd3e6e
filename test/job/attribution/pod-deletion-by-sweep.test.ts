import { describe, expect, it } from "vitest";
import { attributePodDeletion } from "../../../src/job/attribution/pod-deletion.ts";
import { sweepsId, SWEEPS_REASON, sweepsTarget } from "../../../src/job/attribution/pod-gc-record.ts";
import type { Attribution } from "../../../src/job/attribution/attribution.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function deleted(tell: (story: Story) => void, more: Partial<{ graceSeconds: number; user: string }> = {}): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  story.after(30);
  if (more.user !== undefined) story.requested({ pod: "a" }, more.user);
  story.podDeletionRequested("a", "Succeeded", { graceSeconds: more.graceSeconds ?? 0 });
  return story;
}

const succeeds = (story: Story): void => {
  story.containerEnded("a", 0, 10);
  story.podTerminated("a", "Succeeded");
};

function swept(story: Story): Story {
  const { now } = story;
  const span = { hintId: sweepsId(now), reason: SWEEPS_REASON, count: 4, firstAt: now, lastAt: now };
  eventAbout(story, undefined, { target: sweepsTarget(now), ...span });
  return story;
}

function deleterOf(story: Story): Pick<Attribution, "actor" | "confidence"> {
  const { actor = "none", confidence = "possible" } =
    attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext) ?? {};
  return { actor, confidence };
}

const POD_GC = { actor: "pod-garbage-collector", confidence: "likely" };
const UNKNOWN = { actor: "unknown", confidence: "possible" };

describe("the deletion of an ended Pod", () => {
  it.each<[string, Story, object]>([
    ["is most likely of Pod GC while that sweeps", swept(deleted(succeeds)), POD_GC],
    ["is of an unknown actor without sweeps", deleted(succeeds), UNKNOWN],
    ["is not of Pod GC where the Pod had not ended", swept(deleted(() => undefined)), UNKNOWN],
    ["is not of Pod GC where it has a grace period", swept(deleted(succeeds, { graceSeconds: 30 })), UNKNOWN],
    [
      "is of the user that the audit log names, though Pod GC sweeps",
      swept(deleted(succeeds, { user: "alice" })),
      { actor: "alice", confidence: "certain" },
    ],
  ])("%s", (_, story, deleter) => {
    expect(deleterOf(story)).toEqual(deleter);
  });

  it("has the sweeps as evidence", () => {
    const story = swept(deleted(succeeds));
    const { cause, evidence = [] } = attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext) ?? {};
    expect(cause).toEqual({ cause: "tooManyTerminatedPods" });
    expect(evidence.map(({ shows }) => shows)).toEqual([
      { what: "podDeletion", endedBefore: { phase: "Succeeded", millis: 30_000 } },
      { what: "podGcSweeps", sweeps: 4 },
    ]);
  });
});
