import { assert, asyncProperty, shuffledSubarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFromFacts } from "../../../src/archive/evidence/answer-from-facts.ts";
import { EIGHT, endedJob } from "../../support/archive/archive-scene.ts";
import { jobUid } from "../../support/facts/names.ts";

describe("an answer from facts alone", () => {
  it("does not depend on their order, nor on repetitions", async () => {
    const facts = endedJob({ name: "report", createdAt: EIGHT, succeeds: false });
    const ofJob = { cluster: "east", jobUid: jobUid("report") };
    const expected = await answerFromFacts({ ...ofJob, facts });
    expect(expected.answer).toMatchObject({ verdict: { state: "Failed" }, attempts: [{ exitCode: 1 }] });
    const shuffled = shuffledSubarray([...facts, ...facts], { minLength: 2 * facts.length });
    await assert(
      asyncProperty(shuffled, async (others) => {
        expect(await answerFromFacts({ ...ofJob, facts: others })).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
