import { describe, expect, it } from "vitest";
import { isSettled } from "../../../src/job/status/settled.ts";
import { Story } from "../../support/story/story.ts";

function settled({ record }: Story): boolean {
  return isSettled(record.job, [...record.pods.values()]);
}

/** A Job with a Pod that has the tracking finalizer. */
function begun(): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  return story;
}

describe("a Job is settled", () => {
  it("once its Pods have ended and lost their finalizers", () => {
    const story = begun();
    expect(settled(story)).toBe(false);
    story.podTerminated("a", "Succeeded");
    expect(settled(story)).toBe(false);
    story.podUntracked("a");
    expect(settled(story)).toBe(true);
  });

  it.each(["podDeleted", "podVanished"] as const)("once its Pods are gone: %s", (gone) => {
    const story = begun();
    story[gone]("a");
    expect(settled(story)).toBe(true);
  });

  it.each([
    ["no finalizer", [], true],
    ["the finalizer of foreground deletion", ["foregroundDeletion"], true],
    ["the finalizer that orphans its Pods", ["orphan"], true],
    ["a finalizer of another client", ["example.com/guard"], false],
    ["one of both kinds", ["foregroundDeletion", "example.com/guard"], false],
  ])("while its deletion waits for %s (%j): %s", (_, finalizers, isSettledNow) => {
    const story = begun();
    story.podDeleted("a");
    story.jobDeletionRequested(finalizers);
    expect(settled(story)).toBe(isSettledNow);
  });

  it("once the deletion that another client held back is done", () => {
    const story = begun();
    story.podDeleted("a");
    story.jobDeletionRequested(["example.com/guard"]);
    expect(settled(story)).toBe(false);
    story.jobDeleted();
    expect(settled(story)).toBe(true);
  });
});
