import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Verdict } from "../../../src/job/status/job-verdict.ts";
import { settledBy, type WaitGoal, waitForJob } from "../../../src/query/job/wait-for-job.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const job = (state: Verdict["state"], final = false): JobAnswer =>
  listedJob({ verdict: { state, final, basis: "both" } });

/** Reads the states one after the other. The time is over after the last one. */
async function waitThrough(goal: WaitGoal, states: readonly (JobAnswer | undefined)[]) {
  let reads = 0;
  const outcome = await waitForJob(goal, {
    read: async () => states[reads++],
    pause: async () => reads < states.length,
  });
  return { outcome: outcome.outcome, reads };
}

describe("a wait for a Job", () => {
  it.each<[WaitGoal, readonly (JobAnswer | undefined)[], string, number]>([
    ["complete", [job("Complete", true)], "met", 1],
    ["complete", [job("Pending"), job("Running"), job("Complete", true)], "met", 3],
    ["complete", [undefined, job("Complete", true)], "met", 2],
    ["complete", [job("Failed", true)], "endedOtherwise", 1],
    ["failed", [job("Failed", true)], "met", 1],
    ["failed", [job("Complete", true)], "endedOtherwise", 1],
    ["finished", [job("Failed", true)], "met", 1],
    ["finished", [job("Complete", true)], "met", 1],
    ["finished", [job("Deleted")], "endedOtherwise", 1],
    ["complete", [job("Complete"), job("Complete", true)], "met", 2],
    ["failed", [job("Failed"), job("Complete", true)], "endedOtherwise", 2],
    ["complete", [job("Suspended"), job("Complete", true)], "met", 2],
    ["complete", [job("Running"), job("Unknown")], "timedOut", 2],
    ["complete", [undefined, undefined], "timedOut", 2],
  ])("for the goal %s ends as the table says", async (goal, states, outcome, reads) => {
    expect(await waitThrough(goal, states)).toEqual({ outcome, reads });
  });
});

describe("the Job of a last look", () => {
  it.each<[WaitGoal, JobAnswer, string | undefined]>([
    ["complete", job("Complete", true), "met"],
    ["failed", job("Complete", true), "endedOtherwise"],
    ["finished", job("Deleted"), "endedOtherwise"],
    ["finished", job("Complete"), undefined],
    ["finished", job("Running"), undefined],
  ])("settles the goal %s as the table says", (goal, last, outcome) => {
    expect(settledBy(goal, last)?.outcome).toBe(outcome);
  });
});
