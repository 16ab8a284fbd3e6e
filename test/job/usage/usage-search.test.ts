import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** A Job without completions. */
const WORK_QUEUE = { parallelism: 2, completions: undefined } as unknown as Partial<JobSpec>;

function succeeded(
  spec: Partial<JobSpec>,
  pods: readonly (readonly [name: string, seconds: number, index?: number])[],
) {
  const story = new Story();
  story.jobCreated(spec);
  for (const [name, seconds, index] of pods) {
    story.podSucceeds(name, seconds, { ...(index !== undefined && { index }) });
    story.podReserved(name);
  }
  return answerOf(story).usage;
}

describe("the usage of a Job", () => {
  it("keeps the first successes, as many as it needs", () => {
    const usage = succeeded({ completions: 2 }, [
      ["a", 10],
      ["b", 20],
      ["c", 40],
    ]);
    expect(usage).toMatchObject({ pods: 3, bound: "exact", podSeconds: { total: 70, kept: 30, duplicate: 40 } });
    expect(usage?.resources).toMatchObject({ cpu: { total: 70, kept: 30, duplicate: 40 } });
  });

  it("keeps the first success of each index", () => {
    const spec = { completionMode: "Indexed", completions: 2 } as const;
    expect(
      succeeded(spec, [
        ["a", 10, 0],
        ["b", 20, 0],
        ["c", 40, 1],
        ["d", 80],
      ])?.podSeconds,
    ).toMatchObject({ kept: 50, duplicate: 100 });
  });

  it("keeps every success of a work queue", () => {
    const usage = succeeded(WORK_QUEUE, [
      ["a", 10],
      ["b", 10],
    ]);
    expect(usage?.podSeconds).toMatchObject({ kept: 20, duplicate: 0 });
  });

  it("is not known if facts of an earlier release do not say what a Pod reserved", () => {
    const story = new Story();
    story.jobCreated();
    story.podSucceeds("a", 10);
    expect(answerOf(story).usage).toBeUndefined();
  });

  it("is left out of answers for lists", () => {
    const story = new Story();
    story.jobCreated();
    story.podSucceeds("a", 10);
    story.podReserved("a");
    expect(answerOf(story).usage).toBeDefined();
    expect(answerOf(story, { isListed: true }).usage).toBeUndefined();
  });

  it("counts no Pod that was never bound", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.after(10);
    expect(answerOf(story).usage).toMatchObject({ pods: 0, podSeconds: { total: 0 }, resources: {} });
  });
});
