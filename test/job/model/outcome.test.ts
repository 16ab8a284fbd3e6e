import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/job/model/outcome.ts";
import { hasFlipped, isGone, outcomeOf } from "../../../src/job/model/outcome.ts";
import { Story } from "../../support/story/story.ts";

type Told = readonly [fact: string, tell: (story: Story) => void, outcome: Outcome, also: "gone" | "flipped" | ""];

describe("the outcome of a Pod", () => {
  it.each<Told>([
    ["is Active after its creation", () => {}, "Active", ""],
    ["is Active while it is running", (s) => s.podStarted("a"), "Active", ""],
    ["is Terminating while it is being deleted", (s) => s.podDeletionRequested("a", "Running"), "Terminating", ""],
    ["is Succeeded after phase Succeeded", (s) => s.podTerminated("a", "Succeeded"), "Succeeded", ""],
    ["is Failed after phase Failed", (s) => s.podTerminated("a", "Failed"), "Failed", ""],
    [
      "is its terminal phase after it was deleted",
      (s) => (s.podTerminated("a", "Failed"), s.podDeleted("a")),
      "Failed",
      "gone",
    ],
    ["is Unknown, never Failed, if it was removed without an end", (s) => s.podDeleted("a"), "Unknown", "gone"],
    ["is Unknown if it is missing from a list", (s) => s.podVanished("a"), "Unknown", "gone"],
    [
      "is its first terminal phase if the phase changes",
      (s) => (s.podTerminated("a", "Succeeded"), s.podTerminated("a", "Failed")),
      "Succeeded",
      "flipped",
    ],
    [
      "is its first terminal phase also from Failed to Succeeded",
      (s) => (s.podTerminated("a", "Failed"), s.podTerminated("a", "Succeeded")),
      "Failed",
      "flipped",
    ],
    [
      "is its terminal phase, although it was being deleted",
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
