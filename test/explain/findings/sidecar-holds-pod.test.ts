import type { SidecarHoldsPod } from "../../../src/explain/findings/sidecar-holds-pod.ts";
import { findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

/** The work has ended, and another container runs on. */
function held(tell: (story: Story) => void = () => undefined, exitCode = 0): Story {
  const story = tracked();
  story.podCreated("a", { containers: ["work", "proxy"] });
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  story.containerEnded("a", exitCode, 10);
  story.podObserved("a", { running: ["proxy"] });
  tell(story);
  return story;
}

function messageOf(story: Story): string | undefined {
  return findingOf(story, "SidecarHoldsPod", story.now + 600_000)?.message;
}

describe("a Pod that another container keeps running", () => {
  it.each<[string, Story, string]>([
    ["after a success", held(), "1 Pod had done the work and is kept running by another container (render-a: proxy)."],
    [
      "after a failure",
      held(() => undefined, 3),
      "1 Pod had come to the end of the work and is kept running by another container (render-a: proxy).",
    ],
    [
      "until it was deleted",
      held((s) => {
        s.after(600);
        s.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
        s.containerEnded("a", 137, 610, { container: "proxy" });
        s.podTerminated("a", "Failed", { tracked: true });
      }),
      "1 Pod had done the work and was kept running by another container until it was deleted (render-a: proxy).",
    ],
  ])("is found %s", (_, story, message) => {
    expect(messageOf(story)).toBe(message);
  });

  it.each<[string, Story]>([
    [
      "where all containers have ended",
      held(
        (s) => (
          s.containerEnded("a", 0, 10, { container: "proxy" }),
          s.podTerminated("a", "Succeeded", { tracked: true })
        ),
      ),
    ],
    ["where the work runs again", held((s) => s.podObserved("a", { running: ["work", "proxy"], restarts: 1 }))],
  ])("is none %s", (_, story) => {
    expect(kindsOf(story, story.now + 600_000)).not.toContain("SidecarHoldsPod");
  });
});

function heldWith(more: Partial<SidecarHoldsPod> = {}): SidecarHoldsPod {
  const pods = [{ ...POD, running: ["proxy"] }];
  return { kind: "SidecarHoldsPod", podCount: 1, stillHeld: 1, workFailed: false, pods, evidence: [], ...more };
}

describe("a Pod that another container keeps running, in words", () => {
  it.each<[Partial<SidecarHoldsPod>, string]>([
    [{}, "1 Pod had done the work and is kept running by another container (render-a: proxy)."],
    [
      { workFailed: true, stillHeld: 0 },
      "1 Pod had come to the end of the work and was kept running by another container until it was deleted " +
        "(render-a: proxy).",
    ],
    [
      { podCount: 3, stillHeld: 1 },
      "3 Pods had done the work and were kept running by another container, 1 of them still " +
        "(render-a: proxy and 2 more).",
    ],
  ])("%o", (more, message) => {
    expect(explained(heldWith(more)).message).toBe(message);
  });

  it("shows the containers", () => {
    const evidence = [
      evidenceOf({ what: "mainEnded", container: "work", exitCode: 0, running: ["proxy"] } as const),
      evidenceOf({ what: "deletionRequested" } as const),
    ];
    expect(explained(heldWith({ evidence })).details).toEqual([
      "container work had ended with exit code 0; proxy still ran",
      "was marked for deletion, and its containers were stopped for that",
    ]);
  });
});
