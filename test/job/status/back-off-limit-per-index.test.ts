import { describe, expect, it } from "vitest";
import {
  failsIndex,
  heldBackPods,
  readFailureCount,
  replacementFailureCounts,
} from "../../../src/job/status/back-off-limit-per-index.ts";
import { fromIntervals, type Interval, unionIndexes } from "../../../src/job/accounting/index-set.ts";
import type { PodFailurePolicy } from "../../../src/job/model/job-spec.ts";
import { matchPodFailurePolicy } from "../../../src/job/status/pod-failure-policy.ts";
import {
  type CasePod,
  failedIndexPodOfCase,
  failedPodOfCase,
  functionCases,
  indexOf,
} from "../../support/story/conformance-case.ts";

interface PolicySpec {
  readonly completions?: number;
  readonly backoffLimitPerIndex?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
}

describe("a failed index", () => {
  it.each(
    functionCases<{ readonly pod: CasePod; readonly jobSpec: PolicySpec }, { readonly indexFailed: boolean }>(
      "TestIsIndexFailed",
    ),
  )("has exceeded its limit, or matches a rule: %s", (_, { input: { pod, jobSpec }, expected }) => {
    const match = matchPodFailurePolicy(jobSpec.podFailurePolicy, failedPodOfCase(pod), true);
    expect(failsIndex(jobSpec, readFailureCount(pod.indexFailureCount), match)).toBe(expected.indexFailed);
  });

  it.each(
    functionCases<
      {
        readonly pods: readonly CasePod[];
        readonly finalizerRemovalAlreadyRequested: readonly string[];
        readonly jobSpec: PolicySpec;
      },
      { readonly podsHeldBack: readonly string[] }
    >("TestGetPodsWithDelayedDeletionPerIndex"),
  )("is held back until its replacement exists: %s", (_, { input, expected }) => {
    const { completions = 0, podFailurePolicy } = input.jobSpec;
    const asked = new Set(input.finalizerRemovalAlreadyRequested);
    const indexesWhere = (is: (pod: CasePod) => boolean): readonly Interval[] =>
      fromIntervals(
        input.pods.filter(is).flatMap((pod): Interval[] => {
          const index = indexOf(pod);
          return index === undefined ? [] : [[index, index]];
        }),
      );
    const isFailed = (pod: CasePod): boolean =>
      pod.phase === "Failed" &&
      failsIndex(
        input.jobSpec,
        readFailureCount(pod.indexFailureCount),
        matchPodFailurePolicy(podFailurePolicy, failedPodOfCase(pod), true),
      );
    const candidates = input.pods.flatMap((pod) => {
      const index = indexOf(pod);
      const isCandidate = pod.phase === "Failed" && pod.finalizer === true && !asked.has(pod.uid);
      return isCandidate && index !== undefined && index < completions ? [failedIndexPodOfCase(pod, index)] : [];
    });
    const held = heldBackPods(candidates, {
      completed: unionIndexes(
        indexesWhere(({ phase }) => phase === "Succeeded"),
        [],
      ),
      failed: indexesWhere(isFailed),
      active: indexesWhere(({ phase }) => phase === "Running"),
    });
    expect(held.map(({ uid }) => uid)).toEqual(expected.podsHeldBack);
  });

  it.each(
    functionCases<
      { readonly podBeingReplaced: CasePod | null; readonly jobSpec: PolicySpec },
      { readonly replacementIndexFailureCount: number; readonly replacementIndexIgnoredFailureCount: number }
    >("TestGetNewIndexFailureCountValue"),
  )("gives its count to its replacement: %s", (_, { input: { podBeingReplaced, jobSpec }, expected }) => {
    const counts = replacementFailureCounts(
      podBeingReplaced === null
        ? undefined
        : {
            failureCount: readFailureCount(podBeingReplaced.indexFailureCount),
            ignoredFailureCount: readFailureCount(podBeingReplaced.indexIgnoredFailureCount),
            match: matchPodFailurePolicy(jobSpec.podFailurePolicy, failedPodOfCase(podBeingReplaced), true),
          },
    );
    expect(counts.failureCount).toBe(expected.replacementIndexFailureCount);
    expect(counts.ignoredFailureCount).toBe(expected.replacementIndexIgnoredFailureCount);
  });

  it.each(
    functionCases<{ readonly annotation: string | null }, { readonly indexFailureCount: number }>(
      "TestGetIndexFailureCount",
    ),
  )("has its count from the annotation: %s", (_, { input, expected }) => {
    expect(readFailureCount(input.annotation)).toBe(expected.indexFailureCount);
  });
});
