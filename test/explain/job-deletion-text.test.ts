import { describe, expect, it } from "vitest";
import { jobDeletionText } from "../../src/explain/job-deletion-text.ts";
import { deriveRecord } from "../../src/explain/derived-job.ts";
import { Story } from "../support/story/story.ts";

function textOf(tell: (story: Story) => void): string | undefined {
  const story = new Story();
  story.jobCreated();
  tell(story);
  const { record, clusterContext, now } = story;
  return jobDeletionText(deriveRecord(record, { clusterContext, now }));
}

describe("the deletion of a Job in words", () => {
  it("is none while the Job exists", () => {
    expect(textOf((story) => story.jobDeletionRequested())).toBeUndefined();
  });

  it("names a user, and why if the Job had not finished", () => {
    const text = textOf((story) => {
      story.requested("Job", "alice");
      story.jobDeletionRequested();
      story.jobDeleted();
    });
    expect(text).toBe("the Job was deleted by alice: alice deleted it");
  });

  it("says how long after its end", () => {
    const text = textOf((story) => {
      story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
      story.after(90);
      story.requested("Job", "alice");
      story.jobDeletionRequested();
      story.jobDeleted();
    });
    expect(text).toBe("the Job was deleted by alice, 1 min 30 s after it had finished");
  });
});
