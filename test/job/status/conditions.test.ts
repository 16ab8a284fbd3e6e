import { describe, expect, it } from "vitest";
import { ensureCondition, isPodFailurePolicy } from "../../../src/job/status/conditions.ts";
import type { Condition } from "../../../src/job/model/reported-status.ts";
import { functionCases } from "../../support/story/conformance-case.ts";

describe("the reason of a failure by podFailurePolicy", () => {
  it.each([
    ["PodFailurePolicy", true],
    ["PodFailurePolicy_DatabaseDown", true],
    ["PodFailurePolicy_0", true],
    ["PodFailurePolicyOfMine", false],
    ["BackoffLimitExceeded", false],
    [undefined, false],
  ])("may name its rule: %s (%s)", (reason, expected) => {
    expect(isPodFailurePolicy(reason)).toBe(expected);
  });
});

describe("a condition", () => {
  it.each(
    functionCases<
      { readonly have: readonly Condition[]; readonly set: Condition },
      { readonly conditions: readonly Condition[]; readonly changed: boolean }
    >("TestEnsureJobConditions"),
  )("is written as upstream writes it: %s", (_, { input, expected }) => {
    const conditions = ensureCondition(input.have, input.set);
    expect(conditions).toEqual(expected.conditions);
    expect(conditions !== input.have).toBe(expected.changed);
  });

  it("without reason and message is the same as one with empty ones", () => {
    const bare = [{ type: "Complete", status: "True" }];
    const empty = [{ type: "Complete", status: "True", reason: "", message: "" }];
    for (const [have, set] of [
      [bare, empty],
      [empty, bare],
    ] as const) {
      const [condition] = set;
      expect(condition && ensureCondition(have, condition)).toBe(have);
    }
  });

  it.each([{ reason: "Other" }, { message: "Other." }])("is replaced if it gets %j", (more) => {
    const have = [{ type: "Complete", status: "True" }];
    expect(ensureCondition(have, { type: "Complete", status: "True", ...more })).toEqual([
      { type: "Complete", status: "True", ...more },
    ]);
  });

  it("is not written again with the same reason and message", () => {
    const have = [{ type: "Complete", status: "True", reason: "CompletionsReached", message: "Reached." }];
    const [same] = have;
    expect(same && ensureCondition(have, { ...same })).toBe(have);
  });
});
