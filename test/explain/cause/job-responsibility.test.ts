import { describe, expect, it } from "vitest";
import { responsibilityOfJob } from "../../../src/explain/cause/job-responsibility.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";

function of(tell: (story: Story) => void): string | undefined {
  const story = tracked({ backoffLimit: 0, activeDeadlineSeconds: 60 });
  tell(story);
  const found = responsibilityOfJob(derivedOf(story));
  return found && `${found.responsible}, ${found.retry}`;
}

const deletedBy = (user: string) => (story: Story) => {
  story.requested("Job", user);
  story.jobDeletionRequested();
  story.jobDeleted();
};

describe("who is responsible for what happened to a Job", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["that runs is no one", () => undefined, undefined],
    ["that is complete is no one", (story) => story.jobFinished("Complete"), undefined],
    [
      "that failed follows from its cause",
      (story) => (story.podFails("a", 3, 1, { tracked: true }), story.jobFinished("Failed", "BackoffLimitExceeded")),
      "program, unknown",
    ],
    [
      "that reached its deadline is the limit, without a cause",
      (story) => story.jobFinished("Failed", "DeadlineExceeded"),
      "limit, more-time",
    ],
    ["that a person deleted is the person, without a cause", deletedBy("alice"), "person, unknown"],
    ["that a program deleted is unknown, without a cause", deletedBy("system:serviceaccount:ci:x"), "unknown, unknown"],
    [
      "that was deleted after its end is no one",
      (story) => (story.jobFinished("Complete"), deletedBy("alice")(story)),
      undefined,
    ],
  ])("%s", (_, tell, expected) => {
    expect(of(tell)).toBe(expected);
  });
});
