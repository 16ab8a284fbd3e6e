import { describe, expect, it } from "vitest";
import { expectedText } from "../../../src/explain/expectation/expected-text.ts";

const expected = { runs: 50, p50: 312, p90: 431, max: 502 };

describe("what is expected of a Job, in words,", () => {
  it("is how long runs took, and what is left", () => {
    expect(expectedText({ expected })).toBe(
      "Expected: the last 50 successful runs took 5 min 12 s (median), 9 in 10 at most 7 min 11 s.",
    );
    expect(expectedText({ expected: { ...expected, remaining: { p50: 75, p90: 181, of: 31 } } })).toBe(
      "Expected: 1 min 15 s left, at most 3 min 1 s in 9 of 10 runs; " +
        "the last 50 successful runs took 5 min 12 s (median), 9 in 10 at most 7 min 11 s.",
    );
  });

  it("is why nothing is expected, or nothing", () => {
    expect(expectedText({ noExpectation: "No expectation: few runs." })).toBe("No expectation: few runs.");
    expect(expectedText({})).toBeUndefined();
  });
});
