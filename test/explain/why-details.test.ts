import { describe, expect, it } from "vitest";
import { whyDetails } from "../../src/explain/why-details.ts";
import { WhyPods } from "../../src/explain/why-pods.ts";
import { derivedOf } from "../support/story/derived-of-story.ts";
import { tracked } from "../support/story/finding-stories.ts";
import type { Story } from "../support/story/story.ts";

function detailsOf(story: Story): readonly string[] {
  const { record, clusterContext } = story;
  const pods = new WhyPods(record.job, clusterContext);
  for (const pod of record.pods.values()) pods.visit(pod);
  return whyDetails(derivedOf(story), pods);
}

function failed(codes: readonly number[]): Story {
  const story = tracked({ backoffLimit: codes.length - 1 });
  for (const [index, code] of codes.entries()) story.podFails(`p${index}`, code, 1, { tracked: true });
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: codes.length });
  return story;
}

describe("the details of an explanation", () => {
  it("begin with the cause, and name each attempt of a failed Job", () => {
    expect(detailsOf(failed([3, 3]))).toEqual([
      "Container work exited with code 3 in 2 of 2 attempts.",
      "Responsible: program. Retry: unknown.",
      "The back-off limit ended the Job, by Pods: 2 Pods failed, backoffLimit (1).",
      "Attempts: render-p0: container work exited with code 3; render-p1: container work exited with code 3.",
    ]);
  });

  it("group the attempts of a Job with many", () => {
    const codes = Array.from({ length: 11 }, (_, index) => (index < 8 ? 3 : 4));
    expect(detailsOf(failed(codes)).at(-1)).toBe(
      "11 attempts: container work exited with code 3 (8) and container work exited with code 4 (3).",
    );
  });

  it("say of an attempt that its Pod is gone", () => {
    const story = failed([3]);
    story.podDeleted("p0");
    expect(detailsOf(story).at(-1)).toBe("Attempts: render-p0: container work exited with code 3 (its Pod is gone).");
  });

  it("say who is responsible for the deadline that ended a Job whose Pods did not fail", () => {
    const story = tracked({ activeDeadlineSeconds: 60 });
    story.after(60);
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(detailsOf(story)[0]).toBe("Responsible: limit. Retry: more-time.");
  });

  it("say what a Job without Pods waits for", () => {
    const story = tracked({ parallelism: 0 });
    story.jobReported({ startTime: story.now });
    expect(detailsOf(story)).toEqual(["Waiting without a Pod: parallelism is 0, so no Pod is wanted."]);
  });

  it("are none of a Job that runs", () => {
    const story = tracked();
    story.podCreated("a");
    story.podStarted("a");
    expect(detailsOf(story)).toEqual([]);
  });
});
