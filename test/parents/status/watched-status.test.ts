import { describe, expect, it } from "vitest";
import { stateByCondition } from "../../../src/parents/status/watched-status.ts";
import { isTrue, parentObserved } from "../../support/facts/parent-facts.ts";

const TYPES = [
  ["Completed", "Complete"],
  ["Failed", "Failed"],
] as const;

describe("the state by conditions", () => {
  it("is that of the first type which is True, whatever their order in the object", () => {
    const seen = parentObserved({ conditions: [isTrue("Failed", 1), isTrue("Completed", 2, { reason: "Done" })] });
    expect(stateByCondition(seen, TYPES)).toEqual({ state: "Complete", reason: "Done", since: 2 });
  });

  it("is unknown if none is True", () => {
    const seen = parentObserved({ conditions: [{ type: "Failed", status: "False" }] });
    expect(stateByCondition(seen, TYPES)).toBeUndefined();
    expect(stateByCondition(parentObserved(), TYPES)).toBeUndefined();
  });
});
