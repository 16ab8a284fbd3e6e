import { describe, expect, it } from "vitest";
import { judgeAnswers, type Said, type Told } from "../../../bench/chaos/judge-answers.ts";
import type { TrueJob } from "../../../bench/chaos/truth.ts";

const MINUTE = 60_000;
const NONE = { seen: 0, succeeded: 0, failed: 0, statusSucceeded: 0, statusFailed: 0 };

/** A Job with one Pod, which succeeds after a minute; the Job is complete after two. */
const job: TrueJob = {
  uid: "u",
  name: "report",
  isGone: false,
  steps: [
    { at: 0, counts: { ...NONE, seen: 1 } },
    { at: MINUTE, counts: { ...NONE, seen: 1, succeeded: 1, statusSucceeded: 1 } },
  ],
  ended: { state: "Complete", at: 2 * MINUTE },
  answer: {} as TrueJob["answer"],
};

const running: Said = {
  counts: { ...NONE, seen: 1 },
  state: "Running",
  isFinal: false,
  isDeleted: false,
  isStale: false,
};
const counted: Said = { ...running, counts: { ...running.counts, succeeded: 1, statusSucceeded: 1 } };
const complete: Said = { ...counted, state: "Complete", isFinal: true };

function told(minutes: number, said?: Said): Told {
  const at = minutes * MINUTE;
  return {
    cluster: "c",
    uid: "u",
    source: "job",
    askedAt: at,
    answeredAt: at + 5,
    ...(said !== undefined && { said }),
  };
}

function rulesBroken(answers: readonly Told[], silentMillis = 0): readonly string[] {
  const by = { truth: new Map([["u", job]]), silence: () => silentMillis };
  return judgeAnswers(answers, by).map(({ rule }) => rule);
}

describe("the judge of answers", () => {
  it.each<[string, readonly Told[]]>([
    ["follow the truth", [told(0.1), told(0.5, running), told(1.5, counted), told(3, complete)]],
    ["are behind the truth", [told(0.5), told(3, running), told(4, complete)]],
    [
      "show an earlier state to a question that was asked before the later answer",
      [told(3, complete), { ...told(2.9, running), answeredAt: 3.1 * MINUTE }],
    ],
  ])("accepts answers that %s", (_, answers) => {
    expect(rulesBroken(answers)).toEqual([]);
  });

  it.each<[string, string, readonly Told[]]>([
    ["counts a Pod before it has ended", "a count is never above the truth", [told(0.5, counted)]],
    ["is about a Job that never existed", "a count is never above the truth", [{ ...told(1, running), uid: "other" }]],
    ["counts fewer Pods than before", "a count never falls", [told(2, counted), told(3, running)]],
    ["takes back a final verdict", "a final verdict never reverts", [told(3, complete), told(4, counted)]],
    ["has another end than the Job", "a final verdict is true", [told(3, { ...complete, state: "Failed" })]],
    ["has an end before the Job", "a final verdict is true", [told(1.5, complete)]],
    ["no longer knows a Job", "an answered Job is never forgotten", [told(2, counted), told(3)]],
    ["is stale without saying since when", "a stale answer is marked", [told(2, { ...counted, isStale: true })]],
  ])("reports an answer that %s", (_, rule, answers) => {
    expect([...new Set(rulesBroken(answers))]).toEqual([rule]);
  });

  it("reports an answer that is not stale after a long silence, unless it is final", () => {
    expect(rulesBroken([told(9, counted)], 7 * MINUTE)).toEqual(["a stale answer is marked"]);
    expect(rulesBroken([told(9, complete)], 7 * MINUTE)).toEqual([]);
  });
});
