import { describe, expect, it } from "vitest";
import { ownTotals } from "../../../src/job/accounting/own-totals.ts";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import { type Interval, parseIndexSet } from "../../../src/job/accounting/index-set.ts";
import type { PodFailurePolicy } from "../../../src/job/model/job-spec.ts";
import { type CasePod, functionCases } from "../../support/story/conformance-case.ts";
import { statusOfPods } from "../../support/story/conformance-events.ts";
import { Story } from "../../support/story/story.ts";

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

/** The totals by the Pods of a story, corrected by its last report. */
function totalsOf(story: Story) {
  const { job, pods } = story.record;
  const spec = currentSpec(job) ?? expect.fail("no spec");
  const tally = tallyPods(pods.values(), recordRules(story.record, {}));
  return ownTotals({ spec, reported: job.reported, tally, deletionsFail: "none" });
}

/** A tracked Job with one Pod that ended and lost its finalizer, then `report`. */
function endedThen(phase: "Succeeded" | "Failed", report: Parameters<Story["jobReported"]>[0]): Story {
  const story = new Story();
  story.jobCreated({ completions: 2, parallelism: 2 });
  story.jobTracked();
  story.jobReported({ uncounted: { succeeded: [], failed: [] } });
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.podTerminated("a", phase, { tracked: true });
  story.podUntracked("a");
  story.jobReported(report);
  return story;
}

const podA = decodePodUid("render-a") ?? expect.fail("no uid");

describe("a Pod without its finalizer", () => {
  const none = { succeeded: [], failed: [] };

  it.each<[string, "Succeeded" | "Failed", Parameters<Story["jobReported"]>[0], object]>([
    [
      "counts while a later report lists it",
      "Succeeded",
      { uncounted: { succeeded: [podA], failed: [] } },
      { succeeded: 1, failed: 0, neverCounted: 0 },
    ],
    [
      "counts as the class with which a report lists it",
      "Succeeded",
      { uncounted: { succeeded: [], failed: [podA] } },
      { succeeded: 0, failed: 1, neverCounted: 0 },
    ],
    [
      "counts as success where a report lists it so, although it failed",
      "Failed",
      { uncounted: { succeeded: [podA], failed: [] } },
      { succeeded: 1, failed: 0, neverCounted: 0 },
    ],
    [
      "counts where the counter includes it",
      "Succeeded",
      { succeeded: 1, uncounted: none },
      { succeeded: 1, neverCounted: 0 },
    ],
    ["never counted where no counter includes it", "Succeeded", { uncounted: none }, { succeeded: 0, neverCounted: 1 }],
    ["never counted as a failure either", "Failed", { uncounted: none }, { failed: 0, neverCounted: 1 }],
    ["counts where the report has no lists, and so proves nothing", "Succeeded", {}, { succeeded: 1, neverCounted: 0 }],
  ])("%s", (_, phase, report, expected) => {
    expect(totalsOf(endedThen(phase, report))).toMatchObject(expected);
  });
});
