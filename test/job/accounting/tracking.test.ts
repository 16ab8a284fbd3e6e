import { describe, expect, it } from "vitest";
import { statusOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

describe("how a Job is counted", () => {
  it.each<readonly [string, (story: Story) => void, string | undefined, string]>([
    ["is unknown without evidence", (s) => s.jobReported({}), undefined, "unknown"],
    ["is by finalizer when its status has the lists", (s) => s.jobTracked(), "v1.24.17", "tracked"],
    [
      "is by finalizer when a Pod was observed with it",
      (s) => (s.podCreated("a"), s.podTracked("a"), s.podUntracked("a")),
      undefined,
      "tracked",
    ],
    [
      "is by finalizer when a Pod was observed with it, although a started status had no lists",
      (s) => (s.jobUntracked(), s.podCreated("a"), s.podTracked("a")),
      undefined,
      "tracked",
    ],
    ["is by existing Pods when it started without the lists", (s) => s.jobUntracked(), undefined, "untracked"],
    ["is by finalizer on a server that always uses it", () => {}, "v1.36.3", "tracked"],
    ["is by finalizer from 1.26 on", () => {}, "v1.26.0", "tracked"],
    ["is by existing Pods on a server without the finalizer", () => {}, "v1.20.11-gke.9", "untracked"],
    ["is by existing Pods on the last release without the finalizer", () => {}, "v1.21.14", "untracked"],
    ["is unknown on the first release that may use it", () => {}, "v1.22.0", "unknown"],
    ["is unknown on a release that may use it", () => {}, "v1.24.17", "unknown"],
    ["is unknown on the last release that may not use it", () => {}, "v1.25.16", "unknown"],
    ["is unknown if the version of the server is not valid", () => {}, "2.0", "unknown"],
    ["is unknown from a Pod without the finalizer", (s) => s.podSucceeds("a", 1), undefined, "unknown"],
    [
      "is by finalizer when its status counts terminating Pods",
      (s) => s.jobReported({ terminating: 0 }),
      undefined,
      "tracked",
    ],
  ])("%s", (_, tell, serverVersion, expected) => {
    const story = new Story();
    story.jobCreated();
    tell(story);
    expect(statusOfStory(story, story.now, serverVersion).tracking).toBe(expected);
  });

  it("is by finalizer when the server set defaults that only later releases have", () => {
    const story = new Story();
    story.jobCreated({ podReplacementPolicy: "TerminatingOrFailed" });
    expect(statusOfStory(story).tracking).toBe("tracked");
  });
});
