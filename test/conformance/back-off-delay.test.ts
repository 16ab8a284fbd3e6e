import { describe, expect, it } from "vitest";
import { recordBackOff, remainingBackOffMs } from "./back-off-delay.ts";
import { finishTimeOf } from "../../src/job/status/finish-time.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { type CasePod, failedIndexPodOfCase, functionCases } from "../support/story/conformance-case.ts";

describe("the back-off", () => {
  it.each(
    functionCases<
      {
        readonly priorFailuresAfterLastSuccess: number;
        readonly newSucceededFinishOffsetsMs: readonly number[];
        readonly newFailedFinishOffsetsMs: readonly number[];
      },
      { readonly failuresAfterLastSuccess: number; readonly lastFailureOffsetMs: number | null }
    >("TestNewBackoffRecord"),
  )("counts failures since the last success: %s", (_, { input, expected }) => {
    const record = recordBackOff(
      { failuresAfterLastSuccess: input.priorFailuresAfterLastSuccess },
      { succeededAt: input.newSucceededFinishOffsetsMs, failedAt: input.newFailedFinishOffsetsMs },
    );
    expect(record.failuresAfterLastSuccess).toBe(expected.failuresAfterLastSuccess);
    expect(record.lastFailureAt ?? null).toBe(expected.lastFailureOffsetMs);
  });

  interface Limits {
    readonly defaultBackoffSeconds: number;
    readonly maxBackoffSeconds: number;
  }
  const limitsOf = ({ defaultBackoffSeconds, maxBackoffSeconds }: Limits) => ({
    firstMs: defaultBackoffSeconds * 1000,
    mostMs: maxBackoffSeconds * 1000,
  });

  it.each(
    functionCases<
      Limits & { readonly failuresAfterLastSuccess: number; readonly secondsSinceLastFailure: number | null },
      { readonly remainingSeconds: number }
    >("TestGetRemainingBackoffTime"),
  )("doubles with each failure: %s", (_, { input, expected }) => {
    const { failuresAfterLastSuccess, secondsSinceLastFailure } = input;
    const last = secondsSinceLastFailure === null ? {} : { lastFailureAt: -secondsSinceLastFailure * 1000 };
    expect(remainingBackOffMs({ failuresAfterLastSuccess, ...last }, 0, limitsOf(input))).toBe(
      expected.remainingSeconds * 1000,
    );
  });

  it.each(
    functionCases<
      Limits & { readonly lastFailedPod: CasePod | null; readonly now: string },
      { readonly remainingSeconds: number }
    >("TestGetRemainingBackoffTimePerIndex"),
  )("of an index goes by its own count: %s", (_, { input, expected }) => {
    const { lastFailedPod } = input;
    const pod = lastFailedPod === null ? undefined : failedIndexPodOfCase(lastFailedPod, 0);
    const record =
      pod === undefined
        ? { failuresAfterLastSuccess: 0 }
        : {
            failuresAfterLastSuccess: pod.failureCount + pod.ignoredFailureCount + 1,
            lastFailureAt: finishTimeOf(pod),
          };
    const now = parseInstant(input.now) ?? 0;
    expect(remainingBackOffMs(record, now, limitsOf(input))).toBe(expected.remainingSeconds * 1000);
  });
});
