import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/job/status/job-verdict.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { answerOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

/** A Pod runs, and its deletion is requested. */
function asked(story: Story, index?: number): void {
  story.podCreated("a", index === undefined ? {} : { index });
  story.podStarted("a");
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
}

describe("the verdict", () => {
  it.each<readonly [string, Partial<JobSpec>, (story: Story) => void, Partial<Verdict>]>([
    ["is Pending before the start", {}, (s) => s.jobReported({}), { state: "Pending", basis: "reported" }],
    ["is Running after a Pod was observed", {}, (s) => s.podCreated("a"), { state: "Running", basis: "observed" }],
    [
      "is Running by report and observation",
      {},
      (s) => (s.podCreated("a"), s.jobReported({ startTime: s.now })),
      { state: "Running", basis: "both", since: "2026-01-01T00:00:00Z" },
    ],
    [
      "is Suspended while the spec is suspended",
      { suspend: true },
      () => {},
      { state: "Suspended", reason: "JobSuspended" },
    ],
    [
      "is Complete by report and observation",
      {},
      (s) => (
        s.podSucceeds("a", 5, { tracked: true }),
        s.jobFinished("Complete", "CompletionsReached", { succeeded: 1 })
      ),
      { state: "Complete", final: true, basis: "both", reason: "CompletionsReached", since: "2026-01-01T00:00:05Z" },
    ],
    [
      "is Complete by the report alone if no Pod was observed",
      {},
      (s) => s.jobFinished("Complete"),
      { state: "Complete", final: true, basis: "reported" },
    ],
    [
      "is Failed when reported, with its reason",
      {},
      (s) => s.jobFinished("Failed", "DeadlineExceeded"),
      { state: "Failed", final: true, reason: "DeadlineExceeded" },
    ],
    [
      "is Complete and not final while only the Pods prove it",
      { podReplacementPolicy: "Failed" },
      (s) => s.podSucceeds("a", 5, { tracked: true }),
      { state: "Complete", final: false, basis: "observed", reason: "CompletionsReached" },
    ],
    [
      "is Running after the decision while Pods are terminating",
      { podReplacementPolicy: "Failed", parallelism: 2, completions: 2, backoffLimit: 0 },
      (s) => (s.podFails("a", 1, 1, { tracked: true }), s.podCreated("b")),
      { state: "Running", final: false, reason: "BackoffLimitExceeded" },
    ],
    [
      "is Deleted, not Failed, if the Job was removed before its end",
      {},
      (s) => (s.podCreated("a"), s.jobDeletionRequested(), s.jobDeleted()),
      { state: "Deleted", final: false },
    ],
    [
      "stays as reported after the Job was removed",
      {},
      (s) => (s.jobFinished("Failed", "BackoffLimitExceeded"), s.jobDeleted()),
      { state: "Failed", final: true },
    ],
    [
      "is the first end if both were reported",
      {},
      (s) => (s.jobFinished("Complete"), s.jobFinished("Failed")),
      { state: "Complete", final: true },
    ],
    [
      "of an untracked Job is Complete when proven, also if Failed is reported later",
      {},
      (s) => (
        s.jobUntracked(),
        s.podSucceeds("a", 5),
        s.podDeleted("a"),
        s.jobFinished("Failed", "BackoffLimitExceeded")
      ),
      { state: "Complete", final: true, basis: "observed", since: "2026-01-01T00:00:05Z" },
    ],
    [
      "of an untracked Job stays Failed when a Pod succeeds after a deletion request",
      {},
      (s) => (
        s.jobUntracked(),
        asked(s),
        s.jobFinished("Failed", "DeadlineExceeded"),
        s.podTerminated("a", "Succeeded")
      ),
      { state: "Failed", final: true, reason: "DeadlineExceeded" },
    ],
    [
      "of an untracked Job is Complete and not final by a success after a deletion request",
      {},
      (s) => (s.jobUntracked(), asked(s), s.podTerminated("a", "Succeeded")),
      { state: "Complete", final: false, basis: "observed" },
    ],
    [
      "of an untracked Indexed Job is Complete when each index is proven",
      { completionMode: "Indexed", completions: 2 },
      (s) => (s.jobUntracked(), s.podSucceeds("a", 1, { index: 0 }), s.podSucceeds("b", 1, { index: 1 })),
      { state: "Complete", final: true, basis: "observed" },
    ],
    [
      "of an untracked Indexed Job is not proven by a success after a deletion request",
      { completionMode: "Indexed", completions: 1 },
      (s) => (
        s.jobUntracked(),
        asked(s, 0),
        s.jobFinished("Failed", "DeadlineExceeded"),
        s.podTerminated("a", "Succeeded")
      ),
      { state: "Failed", final: true },
    ],
    [
      "of an untracked Job is Complete by report and observation",
      {},
      (s) => (
        s.jobUntracked(),
        s.podSucceeds("a", 5),
        s.podDeleted("a"),
        s.after(5),
        s.jobFinished("Complete", "CompletionsReached", { succeeded: 1 })
      ),
      {
        state: "Complete",
        final: true,
        basis: "both",
        reason: "CompletionsReached",
        since: "2026-01-01T00:00:10Z",
      },
    ],
    [
      "of an untracked Job is Complete by the Pods alone if Failed is reported",
      {},
      (s) => (s.jobUntracked(), s.podSucceeds("a", 5), s.podDeleted("a"), s.jobFinished("Failed", "DeadlineExceeded")),
      { state: "Complete", final: true, basis: "observed", reason: "CompletionsReached" },
    ],
    [
      "is Running by the report alone while no Pod was observed",
      {},
      (s) => s.jobReported({ startTime: s.now, active: 1 }),
      { state: "Running", final: false, basis: "reported", since: "2026-01-01T00:00:00Z" },
    ],
    [
      "is Running by report and observation after an interim condition",
      { podReplacementPolicy: "Failed", parallelism: 2, completions: 2, backoffLimit: 0 },
      (s) => (
        s.podFails("a", 1, 1, { tracked: true }),
        s.podCreated("b"),
        s.jobReported({
          conditions: [
            { type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded", lastTransitionAt: s.now },
          ],
        })
      ),
      { state: "Running", final: false, basis: "both", since: "2026-01-01T00:00:01Z" },
    ],
    [
      "is Failed by the Pods alone when no Pod is active after an interim condition",
      { podReplacementPolicy: "Failed", backoffLimit: 0 },
      (s) => (
        s.podFails("a", 1, 1, { tracked: true }),
        s.jobReported({ conditions: [{ type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded" }] })
      ),
      { state: "Failed", final: false, basis: "observed" },
    ],
    [
      "is Suspended since its condition, for the reason of the condition",
      { suspend: true },
      (s) =>
        s.jobReported({
          conditions: [
            { type: "Other", status: "True", reason: "Wrong", lastTransitionAt: s.second(9) },
            { type: "Suspended", status: "True", reason: "ByHand", lastTransitionAt: s.second(3) },
          ],
        }),
      { state: "Suspended", final: false, reason: "ByHand", basis: "reported", since: "2026-01-01T00:00:03Z" },
    ],
  ])("%s", (_, spec, tell, expected) => {
    const story = new Story();
    story.jobCreated(spec);
    tell(story);
    expect(answerOfStory(story).verdict).toMatchObject(expected);
  });

  it("is Unknown for a Job whose object was never observed", () => {
    const story = new Story();
    story.podSucceeds("a", 5);
    expect(answerOfStory(story).verdict).toEqual({ state: "Unknown", final: false, basis: "observed" });
  });
});
