import { describe, expect, it } from "vitest";
import type { PastRun } from "../../../src/parents/series/past-run.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** Runs that took 1, 2 ... minutes. */
function pastRuns(count: number, template = "1/1"): readonly PastRun[] {
  return Array.from({ length: count }, (_, at) => {
    const millis = (at + 1) * 60_000;
    return { uid: `past-${template}-${at}`, createdAt: 0, endedAt: millis, millis, template };
  });
}

function running(spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobReported({ startTime: story.now, active: 1 });
  story.after(120);
  return story;
}

describe("why nothing is expected of a Job", () => {
  it.each([
    ["few runs", pastRuns(4), "No expectation: 4 of 10 successful runs are known."],
    [
      "runs of another template",
      [...pastRuns(9), ...pastRuns(2, "2/2")],
      "No expectation: 9 of 10 successful runs are known; 2 had another parallelism or completions.",
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
