import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { foldJobs } from "../../../src/job/model/job-record.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { answerOfStory, statusOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";
import { SmallCluster } from "../../support/kubernetes/small-cluster.ts";
import type { SmallJob, WatchEvent } from "../../support/kubernetes/small-store.ts";

const tracked: fc.Arbitrary<SmallJob> = fc.record({
  completions: fc.integer({ min: 1, max: 4 }),
  parallelism: fc.integer({ min: 1, max: 3 }),
  backoffLimit: fc.integer({ min: 0, max: 3 }),
  completionMode: fc.constantFrom("NonIndexed", "Indexed"),
  podReplacementPolicy: fc.constantFrom("TerminatingOrFailed", "Failed"),
  tracked: fc.constant(true),
});

function answerOf(events: readonly WatchEvent[]) {
  const facts = events.flatMap((event) => {
    const translated = translate(event);
    return translated.outcome === "translated" ? translated.facts : [];
  });
  const [record] = foldJobs(facts).values();
  const clusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
  return record && answerRecord(record, { cluster: "small", clusterContext, now: Date.parse("2026-01-02T00:00:00Z") });
}

/** Facts of a Pod of the Job "render" that ended with its finalizer on. */
const ends = (story: Story, pod: string, phase: "Succeeded" | "Failed", index?: number): void => {
  story.podCreated(pod, index === undefined ? {} : { index });
  story.podTracked(pod);
  story.podTerminated(pod, phase, { tracked: true });
};
const reports = (
  story: Story,
  succeeded: number,
  failed: number,
  listed: readonly string[] = [],
  completedIndexes?: string,
) =>
  story.jobReported({
    succeeded,
    failed,
    uncounted: { succeeded: listed.flatMap((pod) => decodePodUid(`render-${pod}`) ?? []), failed: [] },
    ...(completedIndexes !== undefined && { completedIndexes }),
  });

describe("the known totals, after a finalizer was removed before the Pod was counted,", () => {
  it.each<readonly [string, (story: Story) => void, number, number]>([
    [
      "count the Pod until a report covers it",
      (s) => (reports(s, 0, 0), ends(s, "a", "Succeeded"), s.podUntracked("a")),
      1,
      0,
    ],
    [
      "exclude the Pod if a later counter does not include it",
      (s) => (ends(s, "a", "Succeeded"), s.podUntracked("a"), reports(s, 0, 0)),
      0,
      0,
    ],
    [
      "exclude a failed Pod in the same case",
      (s) => (ends(s, "a", "Failed"), s.podUntracked("a"), reports(s, 0, 0), ends(s, "b", "Failed")),
      0,
      1,
    ],
    [
      "treat the removal of a Pod as the removal of its finalizer",
      (s) => (ends(s, "a", "Succeeded"), s.podDeleted("a", true), reports(s, 0, 0)),
      0,
      0,
    ],
    ["include a listed Pod", (s) => (ends(s, "a", "Succeeded"), s.podUntracked("a"), reports(s, 0, 0, ["a"])), 1, 0],
    [
      "include a Pod that had its finalizer when the report was written",
      (s) => (ends(s, "a", "Succeeded"), reports(s, 0, 0), s.podUntracked("a")),
      1,
      0,
    ],
    [
      "exclude as many Pods as the counter does not include",
      (s) => {
        for (const pod of ["a", "b", "c"]) {
          ends(s, pod, "Succeeded");
          s.podUntracked(pod);
        }
        reports(s, 2, 0);
        ends(s, "d", "Succeeded");
      },
      3,
      0,
    ],
    [
      "count a Pod whose terminal phase changed in the class of the counter",
      (s) => (
        ends(s, "a", "Succeeded"),
        s.podTerminated("a", "Failed", { tracked: true }),
        s.podUntracked("a"),
        reports(s, 1, 0)
      ),
      1,
      0,
    ],
    [
      "ignore a status that no controller wrote",
      (s) => (ends(s, "a", "Succeeded"), s.podUntracked("a"), s.jobReported({})),
      1,
      0,
    ],
  ])("%s", (_, tell, succeeded, failed) => {
    const story = new Story();
    story.jobCreated({ completions: 9, parallelism: 9, podReplacementPolicy: "TerminatingOrFailed" });
    story.jobTracked();
    tell(story);
    const { status } = statusOfStory(story);
    expect([status.succeeded ?? 0, status.failed ?? 0]).toEqual([succeeded, failed]);
  });

  it.each<readonly [string, (story: Story) => void, string | undefined]>([
    [
      "exclude an index that a later report does not include",
      (s) => (ends(s, "a", "Succeeded", 1), s.podUntracked("a"), reports(s, 0, 0, [], "")),
      undefined,
    ],
    [
      "include the index again after another Pod of it succeeded",
      (s) => (
        ends(s, "a", "Succeeded", 1),
        s.podUntracked("a"),
        reports(s, 0, 0, [], ""),
        ends(s, "b", "Succeeded", 1)
      ),
      "1",
    ],
    [
      "include an index of the report",
      (s) => (ends(s, "a", "Succeeded", 1), s.podUntracked("a"), reports(s, 1, 0, [], "1")),
      "1",
    ],
  ])("%s", (_, tell, completedIndexes) => {
    const story = new Story();
    story.jobCreated({ completionMode: "Indexed", completions: 3, parallelism: 3, podReplacementPolicy: "Failed" });
    story.jobTracked();
    tell(story);
    expect(statusOfStory(story).status.completedIndexes).toBe(completedIndexes);
  });
});

describe("the known totals of a Job with a success policy", () => {
  it("exclude the indexes of Pods that were deleted because it was met", () => {
    const story = new Story();
    story.jobCreated({
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      podReplacementPolicy: "TerminatingOrFailed",
      backoffLimitPerIndex: 0,
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
    });
    story.podCreated("b", { index: 1 });
    story.podTracked("b");
    story.podStarted("b");
    ends(story, "a", "Succeeded", 0);
    story.podDeletionRequested("b", "Running", { tracked: true });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 1, failedIndexes: "" });
    story.podTerminated("b", "Failed", { tracked: true });
    expect(answerOfStory(story).verdict).toMatchObject({ state: "Complete", reason: "SuccessPolicy" });
  });

  it("include deleted Pods if a failure was written first", () => {
    const story = new Story();
    story.jobCreated({
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      podReplacementPolicy: "TerminatingOrFailed",
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
    });
    story.podCreated("b", { index: 1 });
    story.podTracked("b");
    ends(story, "a", "Succeeded", 0);
    story.jobReported({ conditions: [{ type: "FailureTarget", status: "True", reason: "DeadlineExceeded" }] });
    story.podDeletionRequested("b", "Running", { tracked: true });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 1, failed: 1 });
  });
});

describe("the known totals of a tracked Job", () => {
  it("never exceed the controller's final counters, whichever events are missing", () => {
    const acts = fc.array(fc.nat({ max: 16 * 64 }), { maxLength: 60 });
    fc.assert(
      fc.property(tracked, acts, fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (job, acts, seen) => {
        const cluster = new SmallCluster(job);
        for (const act of acts) cluster.act(act);
        const lived = cluster.events.length;
        cluster.settle();
        const events = cluster.events.slice(0, lived).filter((_, at) => seen[at % seen.length] === true);
        const status = answerOf(events)?.status;
        // A success after a deletion: the facts do not contain when the controller synced (docs/agreement.md).
        const { interrupted, succeeded } = cluster.truth;
        const contested = [...interrupted].filter((uid) => succeeded.has(uid)).length;
        expect(status?.succeeded ?? 0).toBeLessThanOrEqual(cluster.counted.succeeded + contested);
        expect(status?.failed ?? 0).toBeLessThanOrEqual(cluster.counted.failed + contested);
      }),
      { numRuns: 3000 },
    );
  });
});
