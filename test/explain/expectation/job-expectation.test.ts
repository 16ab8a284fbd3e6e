import { describe, expect, it } from "vitest";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { pastRuns, running } from "../../support/story/run-of-series.ts";

describe("what is expected of a Job", () => {
  it("is in seconds, with the time left", () => {
    const { expected, noExpectation } = answerOf(running(), { pastRuns: pastRuns(20) });
    expect(expected).toEqual({ runs: 20, p50: 660, p90: 1140, max: 1200, remaining: { p50: 540, p90: 1020, of: 19 } });
    expect(noExpectation).toBeUndefined();
  });

  it("counts the finished indexes of an Indexed Job", () => {
    const story = running({ completionMode: "Indexed", completions: 100, parallelism: 10, backoffLimitPerIndex: 1 });
    story.jobReported({ startTime: story.second(0), active: 10, completedIndexes: "0-23", failedIndexes: "30" });
    const { expected } = answerOf(story, { pastRuns: pastRuns(20, { parallelism: 10, completions: 100 }) });
    expect(expected?.remaining).toMatchObject({ of: 25, p50: 360 });
  });

  it("exists until the verdict", () => {
    const story = running();
    story.jobFinished("Complete");
    const answer = answerOf(story, { pastRuns: pastRuns(20) });
    expect([answer.expected, answer.noExpectation]).toEqual([undefined, undefined]);
    expect(answerOf(running({ suspend: true }), { pastRuns: pastRuns(20) }).expected?.runs).toBe(20);
  });
});
