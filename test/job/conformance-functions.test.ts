import { describe, expect, it } from "vitest";
import {
  failsIndex,
  heldBackPods,
  readFailureCount,
  replacementFailureCounts,
} from "../../src/job/back-off-limit-per-index.ts";
import { recordBackOff, remainingBackOffMs } from "../../src/job/back-off-delay.ts";
import { ensureCondition } from "../../src/job/conditions.ts";
import { finishTimeOf } from "../../src/job/finish-time.ts";
import { fromIntervals, hasIndex, type Interval, parseIndexSet, unionIndexes } from "../../src/job/index-set.ts";
import { parseInstant } from "../../src/job/instant.ts";
import type { PodFailurePolicy, SuccessPolicy } from "../../src/job/job-spec.ts";
import { claimPod, type ControllerReference, losesFinalizerUncounted } from "../../src/job/ownership.ts";
import { firstPendingIndexes } from "../../src/job/pending-indexes.ts";
import { matchPodFailurePolicy } from "../../src/job/pod-failure-policy.ts";
import type { Condition } from "../../src/job/reported-status.ts";
import { matchSuccessPolicy } from "../../src/job/success-policy.ts";
import {
  type CasePod,
  failedIndexPodOfCase,
  failedPodOfCase,
  finishTimesOfCase,
  functionCases,
  indexOf,
} from "../support/conformance-case.ts";
import { answerOfFacts, factsOfCase } from "../support/conformance-events.ts";

interface PolicySpec {
  readonly completions?: number;
  readonly backoffLimitPerIndex?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
}

/** The status that follows when these Pods are seen at once. */
function statusOf(jobSpec: object, priorStatus: object, pods: readonly CasePod[]) {
  const job = { jobSpec: { ...jobSpec }, priorStatus: { ...priorStatus }, isWorkQueue: true };
  return answerOfFacts(
    factsOfCase(
      job,
      pods.map((pod) => ({ type: "ADDED", pod })),
    ),
  ).status;
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
    // What the controller has asked the API server to do, and nobody has seen yet, is only in its memory: such Pods are given as done.
    const asked = new Set(input.finalizerRemovalAlreadyRequested);
    const pods = input.pods.map((pod) => ({ ...pod, finalizer: pod.finalizer === true && !asked.has(pod.uid) }));
    expect(statusOf({ backoffLimit: 100 }, input.priorStatus, pods)).toMatchObject(expected);
  });
});

describe("a Pod that a Job finds", () => {
  type Owner = ControllerReference | null;
  interface OwnedCase {
    readonly job: { readonly uid: string; readonly selector: Record<string, string>; readonly deleting: boolean };
    readonly pods: readonly {
      readonly name: string;
      readonly owner: Owner;
      readonly labels: Record<string, string>;
      readonly finalizer: boolean;
    }[];
  }
  it.each(
    functionCases<
      OwnedCase,
      { readonly podsOfJob: readonly string[]; readonly ofWhichHoldTrackingFinalizer: readonly string[] }
    >("TestGetPodsForJob"),
  )("is owned, adopted, released or foreign: %s", (_, { input, expected }) => {
    const claims = input.pods.map((pod) => {
      const { owner, ...rest } = pod;
      return { ...pod, claim: claimPod(input.job, { ...rest, ...(owner !== null && { owner }) }) };
    });
    const mine = claims.filter(({ claim }) => claim === "owned" || claim === "adopted");
    expect(mine.map(({ name }) => name)).toEqual(expected.podsOfJob);
    const tracked = mine.filter(({ claim, finalizer }) => claim === "adopted" || finalizer);
    expect(tracked.map(({ name }) => name)).toEqual(expected.ofWhichHoldTrackingFinalizer);
  });

  it.each(
    functionCases<
      {
        readonly pod: { readonly owner: Owner };
        readonly job: { readonly uid: string; readonly finished: boolean } | null;
      },
      { readonly trackingFinalizerRemoved: boolean }
    >("TestSyncOrphanPod"),
  )("loses the finalizer uncounted when nobody counts it: %s", (_, { input, expected }) => {
    expect(losesFinalizerUncounted(input.pod.owner ?? undefined, input.job ?? undefined)).toBe(
      expected.trackingFinalizerRemoved,
    );
  });
});

describe("a condition", () => {
  it.each(
    functionCases<
      { readonly have: readonly Condition[]; readonly set: Condition },
      { readonly conditions: readonly Condition[]; readonly changed: boolean }
    >("TestEnsureJobConditions"),
  )("is written once: %s", (_, { input, expected }) => {
    const conditions = ensureCondition(input.have, input.set);
    expect(conditions).toEqual(expected.conditions);
    expect(conditions !== input.have).toBe(expected.changed);
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
  )("join what was reported and what succeeded: %s", (_, { input, expected }) => {
    const { completions, priorCompletedIndexes } = input;
    expect(parseIndexSet(priorCompletedIndexes, completions)).toEqual(expected.priorIntervalsInRange);
    const spec = { completionMode: "Indexed", completions };
    const status = statusOf(spec, { completedIndexes: priorCompletedIndexes }, input.pods);
    expect(status.completedIndexes ?? "").toBe(expected.completedIndexes);
    expect(parseIndexSet(status.completedIndexes ?? "", completions)).toEqual(expected.completedIntervals);
    expect(status.succeeded ?? 0).toBe(expected.succeeded);
  });

  it.each(
    functionCases<{ readonly intervals: readonly Interval[]; readonly index: number }, { readonly has: boolean }>(
      "TestIntervalsHaveIndex",
    ),
  )("hold an index or not: %s", (_, { input, expected }) => {
    expect(hasIndex(fromIntervals(input.intervals), input.index)).toBe(expected.has);
  });

  it.each(
    functionCases<
      {
        readonly count: number;
        readonly completions: number;
        readonly activePods: readonly CasePod[];
        readonly succeededIntervals: readonly Interval[];
        readonly failedIntervals: readonly Interval[] | null;
      },
      { readonly pendingIndexes: readonly number[] }
    >("TestFirstPendingIndexes"),
  )("leave others to do: %s", (_, { input, expected }) => {
    const active = input.activePods.flatMap((pod): Interval[] => {
      const index = indexOf(pod);
      return index === undefined ? [] : [[index, index]];
    });
    const taken = fromIntervals([...active, ...input.succeededIntervals, ...(input.failedIntervals ?? [])]);
    expect(firstPendingIndexes(input.count, input.completions, taken)).toEqual(expected.pendingIndexes);
  });
});

describe("a failed index", () => {
  it.each(
    functionCases<{ readonly pod: CasePod; readonly jobSpec: PolicySpec }, { readonly indexFailed: boolean }>(
      "TestIsIndexFailed",
    ),
  )("has failed once too often, or by a rule: %s", (_, { input: { pod, jobSpec }, expected }) => {
    const match = matchPodFailurePolicy(jobSpec.podFailurePolicy, failedPodOfCase(pod), true);
    expect(failsIndex(jobSpec, readFailureCount(pod.indexFailureCount), match)).toBe(expected.indexFailed);
  });

  it.each(
    functionCases<
      { readonly priorFailedIndexes: string | null; readonly pods: readonly CasePod[]; readonly jobSpec: PolicySpec },
      { readonly failedIndexes: string; readonly failedIntervals: readonly Interval[] }
    >("TestCalculateFailedIndexes"),
  )("joins those that were reported: %s", (_, { input, expected }) => {
    const prior = input.priorFailedIndexes === null ? {} : { failedIndexes: input.priorFailedIndexes };
    const status = statusOf({ ...input.jobSpec, completionMode: "Indexed" }, prior, input.pods);
    expect(status.failedIndexes).toBe(expected.failedIndexes);
    expect(parseIndexSet(status.failedIndexes ?? "", Infinity)).toEqual(expected.failedIntervals);
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
  )("is held back until it is replaced: %s", (_, { input, expected }) => {
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
  )("hands its count on to its replacement: %s", (_, { input: { podBeingReplaced, jobSpec }, expected }) => {
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
  )("reads its count from the annotation: %s", (_, { input, expected }) => {
    expect(readFailureCount(input.annotation)).toBe(expected.indexFailureCount);
  });
});

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
  )("is met by the first rule that holds: %s", (_, { input, expected }) => {
    const match = matchSuccessPolicy(
      input.successPolicy ?? undefined,
      fromIntervals(input.succeededIntervals),
      input.completions,
    );
    expect(match !== undefined).toBe(expected.met);
    expect(match?.message ?? "").toBe(expected.message);
  });
});

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

describe("the back-off", () => {
  it.each(functionCases<{ readonly pod: CasePod }, { readonly finishTime: string }>("TestGetFinishedTime"))(
    "takes a Pod's end from what it says best: %s",
    (_, { input, expected }) => {
      expect(finishTimeOf(finishTimesOfCase(input.pod))).toBe(parseInstant(expected.finishTime));
    },
  );

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
