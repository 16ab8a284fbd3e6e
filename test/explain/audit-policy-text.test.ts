import { describe, expect, it } from "vitest";
import { answerAndWhy } from "../../src/explain/why-record.ts";
import { Story } from "../support/story/story.ts";

const ALICE = "alice@example.org";

/** The advice about the audit log, of a Job to which this happened. */
function adviceFor(happens: (story: Story) => void): readonly string[] {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  happens(story);
  const { record, clusterContext, now } = story;
  const { why } = answerAndWhy(record, { cluster: "small", clusterContext, now });
  return why.remedies.filter((remedy) => remedy.includes("audit"));
}

/** A Pod that a user deleted while it ran. */
function deletedPod(story: Story): void {
  story.podCreated("a");
  story.podStarted("a");
  story.after(30);
  story.podDeletionRequested("a", "Running");
  story.podDeleted("a");
}

describe("the advice about the audit log", () => {
  it("names the requests that would show who deleted a Job", () => {
    expect(adviceFor((story) => story.jobDeleted())).toEqual([
      "No audit event shows who deleted the Job. Send Outlive the audit log of an API server whose policy logs the " +
        "requests delete and deletecollection of jobs (batch) at level RequestResponse, stage ResponseComplete.",
    ]);
  });

  it("names those about Pods, with evictions", () => {
    expect(adviceFor(deletedPod)).toEqual([
      "No audit event shows who deleted the Pods. Send Outlive the audit log of an API server whose policy logs the " +
        "requests delete and deletecollection of pods, and create of pods/eviction at level RequestResponse, stage " +
        "ResponseComplete.",
    ]);
  });

  it("says what the policy lacks if the audit log has other requests", () => {
    const advice = adviceFor((story) => {
      story.requested({ pod: "b" }, ALICE);
      story.jobDeleted();
    });
    expect(advice).toEqual([
      "The audit log has requests about Pods, but none that deleted the Job: add to the audit policy the requests " +
        "delete and deletecollection of jobs (batch) at level RequestResponse, stage ResponseComplete.",
    ]);
  });

  it("is not given for a Pod that had ended before it was deleted", () => {
    const advice = adviceFor((story) => {
      story.podFails("a", 1, 10);
      story.podDeletionRequested("a", "Failed");
      story.podDeleted("a");
    });
    expect(advice).toEqual([]);
  });

  it("is not given if the audit log shows who deleted it, or nothing was deleted", () => {
    expect(adviceFor(() => {})).toEqual([]);
    const explained = adviceFor((story) => {
      story.requested("Job", ALICE);
      story.jobDeletionRequested();
      story.jobDeleted();
    });
    expect(explained).toEqual([]);
  });
});
