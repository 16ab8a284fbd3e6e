import { describe, expect, it } from "vitest";
import { ensureCondition } from "../../../src/job/status/conditions.ts";
import type { Condition } from "../../../src/job/model/reported-status.ts";
import { functionCases } from "../../support/story/conformance-case.ts";

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
});
