import { describe, expect, it } from "vitest";
import { type Interval, parseIndexSet } from "../../../src/job/accounting/index-set.ts";
import type { PodFailurePolicy } from "../../../src/job/model/job-spec.ts";
import { type CasePod, functionCases } from "../../support/story/conformance-case.ts";
import { statusOfPods } from "../../support/story/conformance-events.ts";

interface PolicySpec {
  readonly completions?: number;
  readonly backoffLimitPerIndex?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
}

describe("the totals of ended Pods", () => {
  it.each(
    functionCases<
      {
        readonly priorStatus: object;
        readonly pods: readonly CasePod[];
        readonly finalizerRemovalAlreadyRequested: readonly string[];
      },
      object
    >("TestGetNewFinshedPods"),
  )("count each once: %s", (_, { input, expected }) => {
    // A requested removal of a finalizer is only in the controller's memory. Here it counts as done.
    const asked = new Set(input.finalizerRemovalAlreadyRequested);
    const pods = input.pods.map((pod) => ({ ...pod, finalizer: pod.finalizer === true && !asked.has(pod.uid) }));
    expect(statusOfPods({ backoffLimit: 100 }, input.priorStatus, pods)).toMatchObject(expected);
  });
});

describe("completed indexes", () => {
  it.each(
    functionCases<
      { readonly completions: number; readonly priorCompletedIndexes: string; readonly pods: readonly CasePod[] },
      {
        readonly priorIntervalsInRange: readonly Interval[];
        readonly completedIntervals: readonly Interval[];
        readonly completedIndexes: string;
        readonly succeeded: number;
      }
    >("TestCalculateSucceededIndexes"),
  )("are the union of reported indexes and successes: %s", (_, { input, expected }) => {
    const { completions, priorCompletedIndexes } = input;
    expect(parseIndexSet(priorCompletedIndexes, completions)).toEqual(expected.priorIntervalsInRange);
    const spec = { completionMode: "Indexed", completions };
    const status = statusOfPods(spec, { completedIndexes: priorCompletedIndexes }, input.pods);
    expect(status.completedIndexes ?? "").toBe(expected.completedIndexes);
    expect(parseIndexSet(status.completedIndexes ?? "", completions)).toEqual(expected.completedIntervals);
    expect(status.succeeded ?? 0).toBe(expected.succeeded);
  });
});

describe("failed indexes", () => {
  it.each(
    functionCases<
      { readonly priorFailedIndexes: string | null; readonly pods: readonly CasePod[]; readonly jobSpec: PolicySpec },
      { readonly failedIndexes: string; readonly failedIntervals: readonly Interval[] }
    >("TestCalculateFailedIndexes"),
  )("include the reported ones: %s", (_, { input, expected }) => {
    const prior = input.priorFailedIndexes === null ? {} : { failedIndexes: input.priorFailedIndexes };
    const status = statusOfPods({ ...input.jobSpec, completionMode: "Indexed" }, prior, input.pods);
    expect(status.failedIndexes).toBe(expected.failedIndexes);
    expect(parseIndexSet(status.failedIndexes ?? "", Infinity)).toEqual(expected.failedIntervals);
  });
});
