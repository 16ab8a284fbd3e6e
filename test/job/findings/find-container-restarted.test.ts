import { describe, expect, it } from "vitest";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { answerOf, findingOf } from "../../support/story/answer-of-story.ts";

function restarted(node: "True" | "Unknown"): Story {
  const story = tracked({ restartPolicy: "OnFailure" });
  story.node("node-a", "True", "KubeletReady");
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  if (node === "Unknown") story.node("node-a", "Unknown");
  story.after(5);
  story.containerEnded("a", 137, 15);
  story.podObserved("a", { restarts: 1 });
  story.node("node-a", "True", "KubeletReady");
  return story;
}

describe("a container that was restarted in place", () => {
  it("is not a new attempt, and has the exit code and run time", () => {
    const finding = findingOf(restarted("True"), "ContainerRestarted");
    expect(finding?.message).toBe(
      "1 Pod had containers restarted in place (1 restart, exit code 137: render-a); a restart is not a new attempt.",
    );
    expect(finding?.evidence[0]?.detail).toBe(
      "container work ended with exit code 137 (Error) after 15 s and was started again in place (restart 1)",
    );
    expect(answerOf(restarted("True")).attempts).toHaveLength(1);
  });

  it("is tied to what its node did at that time", () => {
    expect(findingOf(restarted("Unknown"), "ContainerRestarted")?.message).toContain(
      "around then node-a was unreachable (NodeStatusUnknown) since 2026-01-01T00:00:10Z",
    );
  });
});
