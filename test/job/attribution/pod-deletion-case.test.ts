import { describe, expect, it } from "vitest";
import { endedBefore } from "../../../src/job/attribution/pod-deletion-case.ts";
import { Story } from "../../support/story/story.ts";

function hasEnded(tell: (story: Story) => void): boolean | undefined {
  const story = new Story();
  story.podCreated("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  const pod = story.pod("a");
  const deletion = pod.deletionRequested ?? pod.deleted;
  return deletion && endedBefore(pod, deletion);
}

const ends = (s: Story) => (s.containerEnded("a", 0, 10), s.podTerminated("a", "Succeeded"));
const deleted = (graceSeconds: number) => (s: Story) => s.podDeletionRequested("a", "Succeeded", { graceSeconds });

describe("a Pod", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["had ended before its deletion by resourceVersion, in one second", (s) => (ends(s), deleted(0)(s)), true],
    ["had not, where the deletion has the lower one", (s) => (deleted(30)(s), ends(s)), false],
    ["had not ended at all", deleted(30), false],
    [
      "had, where one event shows both without a grace period",
      (s) => s.inOneEvent(() => (ends(s), deleted(0)(s))),
      true,
    ],
    [
      "had not, where one event shows both with a grace period",
      (s) => s.inOneEvent(() => (ends(s), deleted(30)(s))),
      false,
    ],
    ["had, before it was removed", (s) => (ends(s), s.podDeleted("a")), true],
  ])("%s", (_, tell, isBefore) => {
    expect(hasEnded(tell)).toBe(isBefore);
  });
});
