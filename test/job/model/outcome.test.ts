import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/job/model/outcome.ts";
import { hasFlipped, isGone, outcomeOf } from "../../../src/job/model/outcome.ts";
import { Story } from "../../support/story/story.ts";

type Told = readonly [fact: string, tell: (story: Story) => void, outcome: Outcome, also: "gone" | "flipped" | ""];

describe("what a Pod came to", () => {
  it.each<Told>([
    ["is Active once it was made", () => {}, "Active", ""],
    ["is Active while it runs", (s) => s.podStarted("a"), "Active", ""],
    ["is Terminating while it is being deleted", (s) => s.podDeletionRequested("a", "Running"), "Terminating", ""],
    ["is Succeeded when it ended so", (s) => s.podTerminated("a", "Succeeded"), "Succeeded", ""],
    ["is Failed when it ended so", (s) => s.podTerminated("a", "Failed"), "Failed", ""],
    [
      "is what it ended as when it is deleted then",
      (s) => (s.podTerminated("a", "Failed"), s.podDeleted("a")),
      "Failed",
      "gone",
    ],
    ["is Unknown, never Failed, when it went without an end", (s) => s.podDeleted("a"), "Unknown", "gone"],
    ["is Unknown when it vanished", (s) => s.podVanished("a"), "Unknown", "gone"],
    [
      "is its first end when something writes the phase again",
      (s) => (s.podTerminated("a", "Succeeded"), s.podTerminated("a", "Failed")),
      "Succeeded",
      "flipped",
    ],
    [
      "is its first end the other way round too",
      (s) => (s.podTerminated("a", "Failed"), s.podTerminated("a", "Succeeded")),
      "Failed",
      "flipped",
    ],
    [
      "is how it ended, though it was being deleted",
      (s) => (s.podDeletionRequested("a", "Running"), s.podTerminated("a", "Succeeded")),
      "Succeeded",
      "",
    ],
  ])("%s", (_, tell, outcome, also) => {
    const story = new Story();
    story.podCreated("a");
    tell(story);
    const pod = story.pod("a");
    expect(outcomeOf(pod)).toBe(outcome);
    expect(isGone(pod)).toBe(also === "gone");
    expect(hasFlipped(pod)).toBe(also === "flipped");
  });
});
