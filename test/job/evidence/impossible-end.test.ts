import { describe, expect, it } from "vitest";
import { impossibleEnds } from "../../../src/job/evidence/impossible-end.ts";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import type { ReportedStatus } from "../../../src/job/model/reported-status.ts";
import { Story } from "../../support/story/story.ts";

function failsFor(reason: string, spec: Partial<JobSpec> = {}, status: Partial<ReportedStatus> = {}): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobFinished("Failed", reason, status);
  return story;
}

function completes(succeeded: number, spec: Partial<JobSpec> = {}): Story {
  const story = new Story();
  story.jobCreated({ completions: 2, ...spec });
  story.jobFinished("Complete", "ByHand", { succeeded });
  return story;
}

function endsOf(story: Story, isTracked = true): ReturnType<typeof impossibleEnds> {
  const { job } = story.record;
  const spec = currentSpec(job);
  if (spec === undefined) throw new Error("The story has no spec.");
  return impossibleEnds({ job, spec, isTracked });
}

describe("an impossible end", () => {
  it.each<[string, Story, object]>([
    ["has too few successes", completes(1), { contradiction: "completeBelow", succeeded: 1, completions: 2 }],
    ["names a deadline that the Job does not have", failsFor("DeadlineExceeded"), { field: "activeDeadlineSeconds" }],
    ["names a policy that the Job does not have", failsFor("PodFailurePolicy"), { field: "podFailurePolicy" }],
    ["names a rule that the Job does not have", failsFor("PodFailurePolicy_Disk"), { field: "podFailurePolicy" }],
    [
      "names a limit per index that the Job does not have",
      failsFor("FailedIndexes"),
      { field: "backoffLimitPerIndex" },
    ],
    [
      "names a back-off limit that the failures have not exceeded",
      failsFor("BackoffLimitExceeded", { backoffLimit: 2 }, { failed: 2 }),
      { contradiction: "belowBackoffLimit", failed: 2, backoffLimit: 2 },
    ],
  ])("%s", (_, story, expected) => {
    expect(endsOf(story)).toMatchObject([expected]);
  });
});

describe("a possible end", () => {
  it.each<[string, Story]>([
    ["has enough successes", completes(2)],
    ["is that of an Indexed Job, which a policy may end early", completes(1, { completionMode: "Indexed" })],
    ["is that of a Job of another controller", completes(1, { managedBy: "example.com/other" })],
    ["names a deadline that the Job has", failsFor("DeadlineExceeded", { activeDeadlineSeconds: 5 })],
    ["names a limit that the failures exceed", failsFor("BackoffLimitExceeded", { backoffLimit: 2 }, { failed: 3 })],
    ["may come from restarts in place", failsFor("BackoffLimitExceeded", { restartPolicy: "OnFailure" })],
    ["names a limit that was raised after it was reached", raisedAfter()],
    ["was withdrawn, which is another contradiction", withdrawn()],
  ])("%s", (_, story) => {
    expect(endsOf(story)).toEqual([]);
  });

  it("has counters that fell, where Pods are not tracked", () => {
    expect(endsOf(completes(1), false)).toEqual([]);
    expect(endsOf(failsFor("BackoffLimitExceeded"), false)).toEqual([]);
  });
});

function raisedAfter(): Story {
  const story = failsFor("BackoffLimitExceeded", { backoffLimit: 2 }, { failed: 3 });
  story.jobSpecified({ backoffLimit: 6 }, 2);
  return story;
}

function withdrawn(): Story {
  const story = completes(1);
  story.jobReported({ succeeded: 1 });
  return story;
}
