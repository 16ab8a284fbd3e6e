import { describe, expect, it } from "vitest";
import { podEndEvidence, type PodEnded } from "../../../src/job/evidence/pod-end-evidence.ts";
import { Story } from "../../support/story/story.ts";

function shownOf(tell: (story: Story) => void, containers: readonly string[] = ["work"]): readonly PodEnded[] {
  const story = new Story();
  story.podCreated("a", { containers });
  tell(story);
  return podEndEvidence(story.pod("a")).map(({ shows }) => shows);
}

describe("the evidence of a Pod's end", () => {
  it.each<[string, (story: Story) => void, readonly string[], object]>([
    [
      "has the exit code alone where the reason repeats it",
      (s) => (s.containerEnded("a", 1, 1), s.podTerminated("a", "Failed")),
      ["work"],
      { phase: "Failed", exitCode: 1 },
    ],
    [
      "has the reason of the container where it says more",
      (s) => (s.containerEnded("a", 137, 1, { reason: "OOMKilled" }), s.podTerminated("a", "Failed")),
      ["work"],
      { phase: "Failed", exitCode: 137, containerReason: "OOMKilled" },
    ],
    [
      "has the reason of the Pod",
      (s) => (s.containerEnded("a", 143, 1), s.podTerminated("a", "Failed", { reason: "Evicted" })),
      ["work"],
      { phase: "Failed", exitCode: 143, reason: "Evicted" },
    ],
    [
      "names the container of a Pod that has several",
      (s) => (s.containerEnded("a", 6, 1, { container: "helper" }), s.podTerminated("a", "Failed")),
      ["work", "helper"],
      { phase: "Failed", exitCode: 6, container: "helper" },
    ],
    [
      "names an init container",
      (s) => (s.containerEnded("a", 4, 1, { container: "prepare", init: true }), s.podTerminated("a", "Failed")),
      ["work"],
      { phase: "Failed", exitCode: 4, container: "prepare" },
    ],
    [
      "has no exit code that no program returned",
      (s) => (s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" }), s.podTerminated("a", "Failed")),
      ["work"],
      { phase: "Failed" },
    ],
  ])("%s", (_, tell, containers, shown) => {
    expect(shownOf(tell, containers)).toEqual([{ what: "podEnded", ...shown }]);
  });

  it("is empty until the Pod has ended", () => {
    expect(shownOf((story) => story.podStarted("a"))).toEqual([]);
  });
});
