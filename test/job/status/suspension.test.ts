import { describe, expect, it } from "vitest";
import { withSuspension } from "../../../src/job/status/suspension.ts";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import { Story } from "../../support/story/story.ts";

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" };
const resumed = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };

function shown(story: Story): unknown {
  const { job } = story.record;
  const spec = currentSpec(job);
  return spec && withSuspension(job.reported?.status.conditions ?? [], job, spec);
}

describe("the condition Suspended", () => {
  it("is absent for a Job that was never suspended", () => {
    const story = new Story();
    story.jobCreated();
    expect(shown(story)).toEqual([]);
  });

  it("is written when the spec is suspended", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    expect(shown(story)).toEqual([suspended]);
  });

  it("becomes False when the Job is resumed", () => {
    const story = new Story();
    story.jobCreated();
    story.jobReported({ conditions: [suspended] });
    expect(shown(story)).toEqual([resumed]);
  });

  it("is False after a resume although the controller did not report the suspension", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    story.jobSpecified({ suspend: false }, 2);
    story.jobReported({});
    expect(shown(story)).toEqual([resumed]);
  });

  it("is not added if the controller has reported since", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    story.jobSpecified({ suspend: false }, 2);
    story.jobReported({ startTime: story.now });
    expect(shown(story)).toEqual([]);
  });
});
