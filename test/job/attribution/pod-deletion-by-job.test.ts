import { describe, expect, it } from "vitest";
import {
  endedByVerdict,
  isTakenByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  suspended,
} from "../../../src/job/attribution/pod-deletion-by-job.ts";
import type { Attribution } from "../../../src/job/attribution/attribution.ts";
import type { PodDeletionCase } from "../../../src/job/attribution/pod-deletion-case.ts";
import { deletionCaseOf } from "../../support/story/deletion-case.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function running(tell: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  return story;
}

const deleted = (s: Story): void => s.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
const released = (s: Story): void => (
  s.podUntracked("a"),
  s.podDeletionRequested("a", "Running", { graceSeconds: 30 })
);
const suspend = (s: Story): void =>
  s.jobReported({ conditions: [{ type: "Suspended", status: "True", lastTransitionAt: s.now }] });

describe("the deletion of a Pod whose Job goes", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["follows that of the Job", (s) => (s.jobDeletionRequested(), deleted(s)), "jobBeingDeleted"],
    ["follows the removal of the Job", (s) => (s.jobDeleted(), deleted(s)), "jobDeleted"],
    ["does not follow what comes after it", (s) => (deleted(s), s.jobDeleted()), undefined],
    ["has another reason", deleted, undefined],
  ])("%s", (_, tell, cause) => {
    expect(jobGone(deletionCaseOf(running(tell)))?.cause.cause).toBe(cause);
  });
});

describe("the deletion of a Pod whose Job is suspended", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["is of the Job controller, which removed the finalizer first", (s) => (suspend(s), released(s)), true],
    ["is of another client, where the finalizer was on", (s) => (suspend(s), deleted(s)), false],
    ["has another reason a long time later", (s) => (suspend(s), s.after(120), released(s)), false],
    ["has another reason before it", (s) => (released(s), s.after(30), suspend(s)), false],
  ])("%s", (_, tell, isFound) => {
    expect(suspended(deletionCaseOf(running(tell))) !== undefined).toBe(isFound);
  });
});

describe("a released Pod", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["was not needed", released, "notNeeded"],
    [
      "was stopped by a suspension or a scale-down",
      (s) => (released(s), s.jobSpecified({ suspend: true }, 2)),
      "suspendedOrScaledDown",
    ],
    ["was not released with the finalizer on", deleted, undefined],
  ])("%s", (_, tell, cause) => {
    expect(releasedByJobController(deletionCaseOf(running(tell)))?.cause.cause).toBe(cause);
  });
});

describe("the deletion of a Pod when its Job ends", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["is for the failure", (s) => (deleted(s), s.jobFinished("Failed", "DeadlineExceeded")), "jobFailed"],
    ["is for the success", (s) => (deleted(s), s.jobFinished("Complete")), "jobComplete"],
    ["is not for an end of another time", (s) => (deleted(s), s.after(120), s.jobFinished("Failed")), undefined],
  ])("%s", (_, tell, cause) => {
    const story = running(tell);
    expect(endedByVerdict(deletionCaseOf(story))?.cause.cause).toBe(cause);
    expect(isTakenByVerdict(story.pod("a"), story.record.job)).toBe(cause !== undefined);
  });

  it("may be the reason of the end, where the Pod was preempted", () => {
    const story = running((s) => {
      s.podDisrupted("a", "PreemptionByScheduler");
      deleted(s);
      s.jobFinished("Failed", "BackoffLimitExceeded");
    });
    expect(isTakenByVerdict(story.pod("a"), story.record.job)).toBe(false);
  });
});

describe("the Event SuccessfulDelete", () => {
  it.each([
    ["render-a", true],
    ["render-b", false],
  ])("about %s: %s", (name, isFound) => {
    const story = running(deleted);
    eventAbout(story, undefined, { reason: "SuccessfulDelete", details: { about: "pod", name } });
    expect(jobControllerEvent(deletionCaseOf(story)) !== undefined).toBe(isFound);
  });

  it("is read from the message of earlier logs", () => {
    const story = running(deleted);
    eventAbout(story, undefined, { reason: "SuccessfulDelete", message: "Deleted pod: render-a" });
    expect(jobControllerEvent(deletionCaseOf(story))?.actor).toBe("job-controller");
  });
});

function deletedWithEvent(s: Story): void {
  deleted(s);
  eventAbout(s, undefined, { reason: "SuccessfulDelete", details: { about: "pod", name: "render-a" } });
}

function reports(s: Story, condition: { readonly type: string; readonly status: string }): void {
  s.jobReported({ conditions: [{ ...condition, lastTransitionAt: s.now }] });
}

describe("the evidence for a Pod that its Job took with it", () => {
  const deletion = { what: "podDeletion" };
  it.each<[string, (story: Story) => void, (known: PodDeletionCase) => Attribution | undefined, object]>([
    [
      "is the request to delete the Job",
      (s) => (s.jobDeletionRequested(), deleted(s)),
      jobGone,
      ["generic-garbage-collector", { what: "jobDeletionRequested" }, deletion],
    ],
    [
      "is the removal of the Job",
      (s) => (s.jobDeleted(), deleted(s)),
      jobGone,
      ["generic-garbage-collector", { what: "jobGone" }, deletion],
    ],
    [
      "is the condition of a suspension",
      (s) => (suspend(s), released(s)),
      suspended,
      ["job-controller", deletion, { what: "jobCondition", type: "Suspended" }],
    ],
    [
      "is the removal of the finalizer before",
      released,
      releasedByJobController,
      ["job-controller", { what: "finalizerOffBefore" }, deletion],
    ],
    [
      "is the deletion alone, where the removal of the finalizer was not observed",
      (s) => s.podDeletionRequested("a", "Running", { graceSeconds: 30 }),
      releasedByJobController,
      ["job-controller", deletion],
    ],
    [
      "is the condition of the failure, with its reason",
      (s) => (deleted(s), s.jobFinished("Failed", "DeadlineExceeded")),
      endedByVerdict,
      ["job-controller", deletion, { what: "jobCondition", type: "Failed", reason: "DeadlineExceeded" }],
    ],
    [
      "is the condition of the success, which has no reason",
      (s) => (deleted(s), s.jobFinished("Complete", "")),
      endedByVerdict,
      ["job-controller", deletion, { what: "jobCondition", type: "Complete" }],
    ],
    [
      "is the Event of the Job controller",
      deletedWithEvent,
      jobControllerEvent,
      ["job-controller", { what: "jobControllerEvent", pod: "render-a" }, deletion],
    ],
  ])("%s", (_, tell, infer, expected) => {
    const found = infer(deletionCaseOf(running(tell)));
    expect(found?.confidence).toBe("likely");
    expect([found?.actor, ...(found?.evidence ?? []).map(({ shows }) => shows)]).toEqual(expected);
  });

  it("is no suspension that ended, nor another condition", () => {
    for (const [type, status] of [
      ["Suspended", "False"],
      ["FailureTarget", "True"],
    ] as const) {
      expect(suspended(deletionCaseOf(running((s) => (reports(s, { type, status }), released(s)))))).toBeUndefined();
    }
  });

  it.each([
    [-2, false],
    [-1, true],
    [60, true],
    [61, false],
  ])("is a suspension %i s before the deletion: %s", (seconds, isFound) => {
    const story = running((s) => {
      s.jobReported({ conditions: [{ type: "Suspended", status: "True", lastTransitionAt: s.now - seconds * 1000 }] });
      released(s);
    });
    expect(suspended(deletionCaseOf(story)) !== undefined).toBe(isFound);
  });

  it.each([
    [0, "jobFailed"],
    [60, "jobFailed"],
    [61, undefined],
    [-1, undefined],
  ])("is an end %i s before the deletion: %s", (seconds, cause) => {
    const story = running((s) => {
      const condition = { type: "Failed", status: "True", lastTransitionAt: s.now - seconds * 1000 };
      s.jobFinished("Failed", undefined, { conditions: [condition] });
      deleted(s);
    });
    expect(endedByVerdict(deletionCaseOf(story))?.cause.cause).toBe(cause);
  });
});
