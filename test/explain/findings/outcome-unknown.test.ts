import type { OutcomeUnknown, OutcomeUnknownShows } from "../../../src/explain/findings/outcome-unknown.ts";
import { answerOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

describe("a Pod whose end was not observed", () => {
  it.each<[string, boolean, (story: Story) => void]>([
    ["ran and was deleted while Running", true, (story) => story.podStarted("a")],
    ["never started", false, () => undefined],
  ])("that %s is told: %s", (_, isFound, tell) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    tell(story);
    story.after(5);
    story.podVanished("a");
    expect(kindsOf(story).includes("OutcomeUnknown")).toBe(isFound);
    expect(answerOf(story).attempts?.[0]?.outcome).toBe("Unknown");
  });
});

function unknown(shows: readonly OutcomeUnknownShows[] = [], podCount = 1): OutcomeUnknown {
  return { kind: "OutcomeUnknown", podCount, pods: [POD], evidence: shows.map((one) => evidenceOf(one)) };
}

describe("an unknown outcome in words", () => {
  it("is never a failure", () => {
    expect(explained(unknown()).message).toBe(
      "1 Pod ran, and how it ended was not observed (render-a): its outcome is unknown, not failed.",
    );
    expect(explained(unknown([], 2)).message).toContain("their outcomes are unknown, not failed");
  });

  it.each<[OutcomeUnknownShows, string]>([
    [{ what: "endLost", how: "stillRunning" }, "was reported Failed while its containers still ran"],
    [
      { what: "endLost", how: "runtimeDown" },
      "was reported Failed with exit code 255 (Unknown): the container runtime or the node was down",
    ],
    [
      { what: "endLost", how: "containerLost" },
      "was reported Failed with a placeholder: the kubelet had lost the container (ContainerStatusUnknown)",
    ],
    [
      { what: "endLost", how: "nodeShutdown" },
      "was stopped by the shutdown of its node, and answered with exit code 0",
    ],
    [{ what: "vanished" }, "was missing from a later list; how it ended was not observed"],
    [{ what: "gone" }, "was gone; how it ended was not observed"],
    [
      {
        what: "gone",
        deletedBy: {
          actor: "alice",
          confidence: "certain",
          cause: { cause: "request", object: "Pod", user: "alice", evicted: false },
        },
      },
      "was gone, deleted by alice (alice deleted it); how it ended was not observed",
    ],
  ])("shows %o", (shows, detail) => {
    expect(explained(unknown([shows])).details).toEqual([detail]);
  });
});
