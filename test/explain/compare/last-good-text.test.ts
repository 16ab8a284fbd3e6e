import { describe, expect, it } from "vitest";
import { noLastGoodOf } from "../../../src/explain/compare/last-good-text.ts";

describe("why no earlier run is good", () => {
  it.each([
    ["noEarlierRun", "No earlier run named report is known."],
    ["noneCompleted", "No earlier run named report is known to be complete."],
    ["allAcrossGaps", "All earlier complete runs named report were observed in part, because of monitoring gaps."],
  ] as const)("is said for %s", (reason, message) => {
    expect(noLastGoodOf(reason, "named report")).toEqual({ reason, message });
  });

  it("says how far a bounded read went", () => {
    expect(noLastGoodOf("noEarlierRun", "named a", "Only 500 were read.").message).toBe(
      "No earlier run named a is known. Only 500 were read.",
    );
  });
});
