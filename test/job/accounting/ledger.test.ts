import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { ledgerOf } from "../../../src/job/accounting/ledger.ts";
import { Story } from "../../support/story/story.ts";

const eager = { podReplacementPolicy: "TerminatingOrFailed" };
const waiting = { podReplacementPolicy: "Failed" };
const indexed = { ...eager, completionMode: "Indexed", completions: 3 };
const ignoring = {
  ...waiting,
  podFailurePolicy: {
    rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
  },
};

function ledger(tell: (story: Story) => void, spec: Partial<JobSpec>, isReported = true): string {
  const story = new Story();
  story.jobCreated(spec);
  if (isReported) story.jobReported({});
  // A sibling that is tracked, so that the Job is, whatever becomes of the Pod in question.
  story.podCreated("sibling");
  story.podTracked("sibling");
  tell(story);
  const { record } = story;
  const entry = ledgerOf(story.pod("a"), recordRules(record, {}));
  return entry.ledger;
}

const born = (story: Story, more: { readonly index?: number } = {}) => {
  story.podCreated("a", more);
  story.podTracked("a");
  story.podStarted("a");
};
const deleting = (story: Story, tracked: boolean) => story.podDeletionRequested("a", "Running", { tracked });
const ends = (story: Story, phase: "Succeeded" | "Failed", tracked = true) =>
  story.podTerminated("a", phase, { tracked });

const endsUnseen = (story: Story) => (born(story), ends(story, "Succeeded", false));

type Told = readonly [fact: string, spec: Partial<JobSpec>, tell: (story: Story) => void, ledger: string];

describe("a Pod of a tracked Job", () => {
  it.each<Told>([
    ["is open while it runs", eager, (s) => born(s), "open"],
    ["succeeds with the finalizer on", eager, (s) => (born(s), ends(s, "Succeeded")), "succeeded"],
    ["fails with the finalizer on", eager, (s) => (born(s), ends(s, "Failed")), "failed"],
    [
      "stays counted after its finalizer and the Pod were removed",
      eager,
      (s) => (born(s), ends(s, "Succeeded"), s.podUntracked("a"), s.podDeleted("a")),
      "succeeded",
    ],
    [
      "succeeds although it is being deleted after its end",
      eager,
      (s) => (born(s), ends(s, "Succeeded"), deleting(s, true)),
      "succeeded",
    ],
    ...(["Succeeded", "Failed"] as const).flatMap((phase): readonly Told[] => {
      const deletedAfterEnd = (s: Story) => (born(s), s.podDeletionRequested("a", phase, { tracked: true }));
      return [
        [`is open when only its deletion after ${phase} is known, in eager mode`, eager, deletedAfterEnd, "open"],
        [`is open when only its deletion after ${phase} is known, in waiting mode`, waiting, deletedAfterEnd, "open"],
      ];
    }),
    ["is failed at once when deleted, in eager mode", eager, (s) => (born(s), deleting(s, true)), "failed"],
    [
      "stays failed even if it succeeds later",
      eager,
      (s) => (born(s), deleting(s, true), s.podUntracked("a"), ends(s, "Succeeded", false)),
      "failed",
    ],
    ["waits for its end when deleted, in waiting mode", waiting, (s) => (born(s), deleting(s, true)), "uponFailure"],
    [
      "counts by its terminal phase, in waiting mode",
      waiting,
      (s) => (born(s), deleting(s, true), ends(s, "Succeeded")),
      "succeeded",
    ],
    [
      "is open when it was removed without an end, in waiting mode",
      waiting,
      (s) => (born(s), deleting(s, true), s.podDeleted("a", true)),
      "open",
    ],
    [
      "is failed when it was deleted and removed without an end, in eager mode",
      eager,
      (s) => (born(s), deleting(s, true), s.podDeleted("a", true)),
      "failed",
    ],
    [
      "is open when its removal is known, but not the request that came before, in eager mode",
      eager,
      (s) => (born(s), s.podDeleted("a", true)),
      "open",
    ],
    [
      "is void when its finalizer was removed before its deletion",
      eager,
      (s) => (born(s), s.podUntracked("a"), deleting(s, false)),
      "void",
    ],
    [
      "is void when its deletion was first observed without the finalizer",
      eager,
      (s) => (born(s), deleting(s, false), s.podUntracked("a")),
      "void",
    ],
    [
      "is void when it was released, although it succeeds",
      eager,
      (s) => (born(s), s.podUntracked("a"), ends(s, "Succeeded", false)),
      "void",
    ],
    [
      "is void when it never had the finalizer while it ran",
      eager,
      (s) => (s.podCreated("a"), s.podUntracked("a"), ends(s, "Failed", false)),
      "void",
    ],
    [
      "counts after its adoption",
      eager,
      (s) => (s.podCreated("a"), s.podUntracked("a"), s.podTracked("a"), ends(s, "Succeeded")),
      "succeeded",
    ],
    [
      "counts by the last phase before the removal of its finalizer",
      eager,
      (s) => (born(s), ends(s, "Succeeded"), ends(s, "Failed")),
      "failed",
    ],
    [
      "keeps its class when the phase changes after that",
      eager,
      (s) => (born(s), ends(s, "Succeeded"), s.podUntracked("a"), ends(s, "Failed", false)),
      "succeeded",
    ],
    [
      "counts by the terminal phase that was observed with the finalizer",
      eager,
      (s) => (born(s), ends(s, "Failed"), s.podUntracked("a"), ends(s, "Succeeded", false)),
      "failed",
    ],
    [
      "counts upon the failure of the Job when its finalizer was removed during its deletion, in waiting mode",
      waiting,
      (s) => (born(s), deleting(s, true), s.podUntracked("a"), ends(s, "Failed", false)),
      "uponFailure",
    ],
    [
      "is void when its finalizer was removed before its deletion, in waiting mode",
      waiting,
      (s) => (born(s), s.podUntracked("a"), deleting(s, false), ends(s, "Failed", false)),
      "void",
    ],
    [
      "counts by the end with the finalizer, although it had ended without it before",
      eager,
      (s) => (
        s.podCreated("a"),
        s.podUntracked("a"),
        ends(s, "Failed", false),
        s.podTracked("a"),
        ends(s, "Succeeded")
      ),
      "succeeded",
    ],
    ["is void without an index", indexed, (s) => (born(s), ends(s, "Succeeded")), "void"],
    ["is void with an index out of range", indexed, (s) => (born(s, { index: 3 }), ends(s, "Failed")), "void"],
    [
      "stays failed when the Job is scaled down below its index",
      indexed,
      (s) => (born(s, { index: 2 }), ends(s, "Failed"), s.jobSpecified({ completions: 1 }, 2)),
      "failed",
    ],
    [
      "is void when it fails after the Job was scaled down below its index",
      indexed,
      (s) => (born(s, { index: 2 }), s.jobSpecified({ completions: 1 }, 2), ends(s, "Failed")),
      "void",
    ],
    ["succeeds with a valid index", indexed, (s) => (born(s, { index: 2 }), ends(s, "Succeeded")), "succeeded"],
    [
      "is ignored if a rule matches",
      ignoring,
      (s) => (
        born(s),
        s.podTerminated("a", "Failed", {
          tracked: true,
          conditions: [{ type: "DisruptionTarget", status: "True" }],
        })
      ),
      "ignored",
    ],
    [
      "is no failure of a failing Job when a rule ignores its disruption",
      ignoring,
      (s) => (born(s), s.podDisrupted("a", "EvictionByEvictionAPI"), deleting(s, true)),
      "open",
    ],
  ])("%s", (_, spec, tell, expected) => {
    expect(ledger(tell, spec)).toBe(expected);
  });

  it("was counted before its end was observed if that observation has no finalizer", () => {
    expect(ledger(endsUnseen, eager)).toBe("before");
    expect(ledger(endsUnseen, eager, false)).toBe("succeeded");
  });
});

describe("a Pod of an untracked Job", () => {
  it.each<readonly [string, (story: Story) => void, string]>([
    ["succeeds", (s) => s.podSucceeds("a", 5), "succeeded"],
    ["fails", (s) => s.podFails("a", 1, 5), "failed"],
    ["stays a success when it is deleted", (s) => (s.podSucceeds("a", 5), s.podDeleted("a")), "succeeded"],
    [
      "stays a success when its phase changes to Failed",
      (s) => (s.podSucceeds("a", 5), s.podTerminated("a", "Failed")),
      "succeeded",
    ],
    ["is no failure when it is deleted while it is running", (s) => (s.podCreated("a"), s.podDeleted("a")), "open"],
  ])("%s", (_, tell, expected) => {
    const story = new Story();
    story.jobCreated();
    story.jobUntracked();
    tell(story);
    expect(ledgerOf(story.pod("a"), recordRules(story.record, {})).ledger).toBe(expected);
  });
});
