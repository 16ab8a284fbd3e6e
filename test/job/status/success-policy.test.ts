import { describe, expect, it } from "vitest";
import { fromIntervals, type Interval } from "../../../src/job/accounting/index-set.ts";
import type { SuccessPolicy } from "../../../src/job/model/job-spec.ts";
import { matchSuccessPolicy } from "../../../src/job/status/success-policy.ts";
import { functionCases } from "../../support/story/conformance-case.ts";

describe("a success policy", () => {
  it.each(
    functionCases<
      {
        readonly successPolicy: SuccessPolicy | null;
        readonly completions: number;
        readonly succeededIntervals: readonly Interval[];
      },
      { readonly met: boolean; readonly message: string }
    >("TestMatchSuccessPolicy"),
  )("is met by the first rule that applies: %s", (_, { input, expected }) => {
    const match = matchSuccessPolicy(
      input.successPolicy ?? undefined,
      fromIntervals(input.succeededIntervals),
      input.completions,
    );
    expect(match !== undefined).toBe(expected.met);
    expect(match?.message ?? "").toBe(expected.message);
  });
});
