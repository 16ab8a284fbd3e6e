import { describe, expect, it } from "vitest";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { pastRuns, running } from "../../support/story/run-of-series.ts";

describe("why nothing is expected of a Job", () => {
  it.each([
    ["few runs", pastRuns(4), "No expectation: 4 of 10 successful runs are known."],
    [
      "runs of another template",
      [...pastRuns(9), ...pastRuns(2, { parallelism: 2, completions: 2 })],
      "No expectation: 9 of 10 successful runs are known; 2 " +
        "had another template (resources, parallelism or completions).",
    ],
    [
      "runs of other resources",
      [...pastRuns(1), ...pastRuns(60, { parallelism: 1, completions: 1, resources: "a-9" })],
      "No expectation: 1 of 10 successful runs are known; 60 " +
        "had another template (resources, parallelism or completions).",
    ],
    ["no runs at all", [], undefined],
    ["no series", undefined, undefined],
  ])("is said with %s", (_, runs, reason) => {
    const answer = answerOf(running(), { pastRuns: runs });
    expect([answer.expected, answer.noExpectation]).toEqual([undefined, reason]);
  });

  it("is said if gaps exclude too many runs", () => {
    const story = running();
    const [created] = story.facts;
    if (created === undefined) throw new Error("The Job was created.");
    const { epoch, resourceVersion, at } = created;
    const order = { epoch, resourceVersion, at };
    const gap = { ...order, kind: "GapRecorded", gapId: "g", from: 0, to: 300_000, resources: [], reason: "" } as const;
    const clusterContext = { ...story.clusterContext, gaps: [gap] };
    expect(answerOf(story, { pastRuns: pastRuns(12), clusterContext }).noExpectation).toBe(
      "No expectation: 0 of 10 successful runs are known; 12 ran during a gap in monitoring.",
    );
  });
});
