import { describe, expect, it } from "vitest";
import type { PodFailurePolicy } from "../../../src/job/model/job-spec.ts";
import { matchPodFailurePolicy } from "../../../src/job/status/pod-failure-policy.ts";
import { type CasePod, failedPodOfCase, functionCases } from "../../support/story/conformance-case.ts";

describe("a pod failure policy", () => {
  it.each(
    functionCases<
      { readonly podFailurePolicy: PodFailurePolicy | null; readonly pod: CasePod },
      { readonly jobFailureMessage: string | null; readonly counted: boolean; readonly action: string | null }
    >("TestMatchPodFailurePolicy"),
  )("decides by the first rule that matches: %s", (_, { input, expected, gates }) => {
    const match = matchPodFailurePolicy(
      input.podFailurePolicy ?? undefined,
      failedPodOfCase(input.pod),
      gates?.["JobBackoffLimitPerIndex"] === true,
    );
    expect(match.message ?? null).toBe(expected.jobFailureMessage);
    expect(match.counted).toBe(expected.counted);
    expect(match.action ?? null).toBe(expected.action);
  });
});
