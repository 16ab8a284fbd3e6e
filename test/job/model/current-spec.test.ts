import { describe, expect, it } from "vitest";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import { emptyJob, joinFacts } from "../../../src/job/model/job-record.ts";
import { Story } from "../../support/story/story.ts";

describe("the current spec of a Job", () => {
  it("is unknown if no spec was observed", () => {
    const story = new Story();
    story.jobTracked();
    story.jobReported({ active: 1 });
    expect(currentSpec(story.record.job)).toBeUndefined();
  });

  it("is that of the highest generation, whatever the order of the facts", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 1 });
    story.jobSpecified({ parallelism: 3 }, 3);
    story.jobSpecified({ parallelism: 2 }, 2);
    const reversed = joinFacts(emptyJob(story.jobUid), story.facts.toReversed());
    expect(currentSpec(story.record.job)?.parallelism).toBe(3);
    expect(currentSpec(reversed.job)?.parallelism).toBe(3);
  });

  it("is the later one of a source without generations", () => {
    const story = new Story();
    story.jobSpecified({ parallelism: 5 }, 0);
    story.jobSpecified({ parallelism: 4 }, 0);
    expect(currentSpec(story.record.job)?.parallelism).toBe(4);
  });

  it("does not depend on the order of facts that claim the same version", () => {
    const story = new Story();
    story.inOneEvent(() => {
      story.jobSpecified({ parallelism: 5 }, 2);
      story.jobSpecified({ parallelism: 4 }, 2);
    });
    const reversed = joinFacts(emptyJob(story.jobUid), story.facts.toReversed());
    expect(currentSpec(reversed.job)).toEqual(currentSpec(story.record.job));
  });

  it("has the mutable fields of a later report, and the other fields of the spec", () => {
    const story = new Story();
    story.jobCreated({ completions: 2, activeDeadlineSeconds: 60, backoffLimit: 9 });
    story.jobReported({});
    const reported = story.facts.pop();
    if (reported?.kind !== "JobReported") throw new Error("The last fact is the report.");
    story.facts.push({ ...reported, mutable: { parallelism: 7, suspend: true } });
    const spec = currentSpec(story.record.job);
    expect(spec).toMatchObject({ parallelism: 7, suspend: true, backoffLimit: 9 });
    expect(spec).not.toHaveProperty("completions");
    expect(spec).not.toHaveProperty("activeDeadlineSeconds");
  });

  it("ignores the mutable fields of a report that is older than the spec", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 1 });
    story.jobReported({});
    story.jobSpecified({ parallelism: 8 }, 2);
    expect(currentSpec(story.record.job)?.parallelism).toBe(8);
  });
});
