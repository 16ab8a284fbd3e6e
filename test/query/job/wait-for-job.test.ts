import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Verdict } from "../../../src/job/status/job-verdict.ts";
import { type WaitGoal, waitForJob } from "../../../src/query/job/wait-for-job.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const job = (state: Verdict["state"], final = false): JobAnswer =>
  listedJob({ verdict: { state, final, basis: "both" } });

/** Asks for one state after the other; the time is over when they are told. */
async function waitThrough(goal: WaitGoal, states: readonly (JobAnswer | undefined)[]) {
  let asked = 0;
  const outcome = await waitForJob(goal, {
    ask: async () => states[asked++],
    pause: async () => asked < states.length,
  });
  return { outcome: outcome.outcome, asked };
}

describe("waiting for a Job", () => {
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
    ["complete", [job("Running"), job("Unknown")], "timedOut", 2],
    ["complete", [undefined, undefined], "timedOut", 2],
  ])("to be %s", async (goal, states, outcome, asked) => {
    expect(await waitThrough(goal, states)).toEqual({ outcome, asked });
  });
});
