import type { ReRunAfterSuccess } from "../../../src/explain/findings/re-run-after-success.ts";
import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";
import { AT, evidenceOf, explained } from "../../support/story/explained.ts";
import { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

/** A Job of one completion whose succeeded Pod is deleted `times` times before it is counted. */
function eaten(times: number, by = "pod-garbage-collector"): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.jobReported({ active: 1, startTime: story.now });
  for (let run = 0; run <= times; run += 1) {
    story.podSucceeds(`p${String(run).padStart(2, "0")}`, 2);
    if (run === times) break;
    story.after(20);
    story.podDeletionRequested(`p${String(run).padStart(2, "0")}`, "Succeeded");
    story.requested({ pod: `p${String(run).padStart(2, "0")}` }, `system:serviceaccount:kube-system:${by}`);
    story.podDeleted(`p${String(run).padStart(2, "0")}`);
    story.after(3);
  }
  return story;
}

describe("a Job that Kubernetes runs again after it was complete", () => {
  it("has its needless re-runs counted, with what they cost and who deleted the successes", () => {
    const finding = findingOf(eaten(49), "ReRunAfterSuccess");
    expect(finding?.message).toBe(
      "49 needless re-runs (1 min 38 s of running), each Pod deleted by pod-garbage-collector after it had succeeded.",
    );
    expect(finding?.since).toBe("2026-01-01T00:00:02Z");
  });

  it("names at most 20 Pods and counts all", () => {
    const finding = findingOf(eaten(49), "ReRunAfterSuccess");
    expect(finding?.podCount).toBe(49);
    expect(namesIn(finding)).toHaveLength(20);
    expect(namesIn(finding)[0]).toBe("render-p01");
  });

  it("names the user who deleted the succeeded Pod", () => {
    expect(findingOf(eaten(1, "alice"), "ReRunAfterSuccess")?.message).toContain("deleted by alice");
  });

  it("is the same whatever order the facts arrived in", () => {
    const story = eaten(3);
    const straight = findingOf(story, "ReRunAfterSuccess");
    story.facts.reverse();
    expect(findingOf(story, "ReRunAfterSuccess")).toEqual(straight);
  });

  it("is also one whose success was called Failed later", () => {
    const story = new Story();
    story.jobCreated();
    story.jobUntracked();
    story.podSucceeds("a", 2);
    story.after(2);
    story.podTerminated("a", "Failed");
    story.after(2);
    story.podSucceeds("b", 3);
    expect(findingOf(story, "ReRunAfterSuccess")?.message).toBe(
      "1 needless re-run (3 s of running), after 1 success reported Failed later.",
    );
  });

  it("includes a Pod created before the success was reported by a silent node", () => {
    const story = heardOfLater();
    expect(findingOf(story, "ReRunAfterSuccess")?.message).toBe(
      "1 needless re-run (5 s of running), the Pod before it deleted by alice after it had succeeded.",
    );
    expect(kindsOf(story)).toContain("DuplicateExecution");
  });

  it("is measured from the moment all completions were done, not from the last report", () => {
    const story = new Story();
    story.jobCreated({ completions: 2, parallelism: 2 });
    story.jobUntracked();
    story.podCreated("a");
    story.podStarted("a");
    story.after(10);
    story.containerEnded("a", 0, 10);
    story.podTerminated("a", "Succeeded");
    story.podCreated("b", { createdAt: story.second(0) });
    story.containerEnded("b", 0, 4, { finishedAt: story.second(5) });
    story.podTerminated("b", "Succeeded");
    story.podCreated("c", { createdAt: story.second(7) });
    expect(kindsOf(story)).not.toContain("ReRunAfterSuccess");
    story.podCreated("d", { createdAt: story.second(11) });
    expect(namesIn(findingOf(story, "ReRunAfterSuccess"))).toEqual(["render-d"]);
  });

  it("is not called a duplicate execution as well", () => {
    expect(kindsOf(eaten(2))).not.toContain("DuplicateExecution");
  });
});

/**
 * A Job of one completion whose succeeded Pod is deleted repeatedly, with `gaps` seconds between the deletions. No fact
 * says by whom.
 */
function takenEvery(gaps: readonly number[], soon = 15): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  for (const [run, gap] of [soon + 2, ...gaps].entries()) {
    story.after(gap - soon - 2);
    story.podSucceeds(String(run), 2);
    story.after(soon);
    story.podDeletionRequested(String(run), "Succeeded");
    story.podDeleted(String(run));
  }
  story.podSucceeds("last", 2);
  return story;
}

describe("the deleter of succeeded Pods without a request", () => {
  it.each<[string, Story, who: string]>([
    ["is most likely Pod GC after three of its rounds", takenEvery([20, 38]), "most likely by pod-garbage-collector"],
    [
      "is most likely Pod GC in a round cut to whole seconds",
      takenEvery([19, 19]),
      "most likely by pod-garbage-collector",
    ],
    ["is unknown within one round of Pod GC", takenEvery([18, 60]), "by an unknown actor"],
    ["is unknown after two rounds of Pod GC", takenEvery([40]), "by an unknown actor"],
    ["is unknown long after the success", takenEvery([200, 200], 121), "by an unknown actor"],
    ["is unknown if each Pod is deleted at its success", takenEvery([30, 30, 30], 1), "by an unknown actor"],
  ])("%s", (_, story, who) => {
    expect(findingOf(story, "ReRunAfterSuccess")?.message).toContain(`each Pod deleted ${who} after it had succeeded`);
  });
});

describe("a replacement of a Pod that answered its deletion with exit code 0", () => {
  it("is not called needless, and no success is called lost", () => {
    expect(findingOf(answered(), "ReRunAfterSuccess")?.message).toBe(
      "1 Pod ran for 5 s in place of a deleted Pod, which had answered its deletion with exit code 0.",
    );
  });
});

describe("no re-run", () => {
  it.each([
    ["the only success", eaten(0)],
    ["a retry after a failure", retried()],
    ["Pods of a Job that is not yet complete", replaced()],
    ["a second success of a tracked Job", trackedTwice()],
    ["a Pod created before the success, and first seen after it", seenLate()],
    ["a Pod created in the second of the success, before it", sameSecond()],
  ])("is %s", (_, story) => expect(kindsOf(story)).not.toContain("ReRunAfterSuccess"));
});

/**
 * The first Pod's node falls silent before it reports that the Pod succeeded, and reports it while the second Pod runs.
 */
function heardOfLater(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.podCreated("a");
  story.podStarted("a");
  story.after(10);
  story.requested({ pod: "a" }, "alice");
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  story.after(1);
  story.podCreated("b");
  story.podStarted("b");
  story.containerEnded("a", 0, 9, { finishedAt: story.second(9) });
  story.podTerminated("a", "Succeeded");
  story.after(5);
  story.containerEnded("b", 0, 5);
  story.podTerminated("b", "Succeeded");
  return story;
}

function retried(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.podFails("a", 1, 2);
  story.after(10);
  story.podSucceeds("b", 2);
  return story;
}

function replaced(): Story {
  const story = new Story();
  story.jobCreated({ completions: 3 });
  story.jobUntracked();
  for (const pod of ["a", "b", "c"]) story.podSucceeds(pod, 2);
  return story;
}

/** A gap hid it: the list that closed the gap showed it first. */
function seenLate(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.after(10);
  story.podSucceeds("a", 2);
  story.podCreated("b", { createdAt: story.second(5) });
  return story;
}

function sameSecond(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.podCreated("a");
  story.podStarted("a");
  story.after(2);
  story.podCreated("b");
  story.containerEnded("a", 0, 2);
  story.podTerminated("a", "Succeeded");
  return story;
}

/** Like a user's `kubectl delete pod`: request, exit code 0 and replacement within two seconds. */
function answered(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobUntracked();
  story.podCreated("a");
  story.podStarted("a");
  story.after(5);
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  story.containerEnded("a", 0, 5);
  story.podTerminated("a", "Succeeded");
  story.podDeleted("a");
  story.after(1);
  story.podSucceeds("b", 5);
  return story;
}

function trackedTwice(): Story {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  story.podSucceeds("a", 2, { tracked: true });
  story.podSucceeds("b", 2, { tracked: true });
  return story;
}

const POD_GC = { actor: "pod-garbage-collector", confidence: "likely" } as const;

function reRun(more: Partial<ReRunAfterSuccess> = {}): ReRunAfterSuccess {
  const losses = [{ times: 1, by: POD_GC }];
  const counts = { podCount: 1, completions: 1, answeredDeletion: false, ranMillis: 5_000 };
  return { kind: "ReRunAfterSuccess", since: AT, ...counts, losses, evidence: [], ...more };
}

describe("re-runs after success in words", () => {
  it.each<[Partial<ReRunAfterSuccess>, string]>([
    [
      {},
      "1 needless re-run (5 s of running), the Pod before it deleted most likely by pod-garbage-collector " +
        "after it had succeeded.",
    ],
    [
      { podCount: 49, losses: [{ times: 49, by: { ...POD_GC, confidence: "certain" } }] },
      "49 needless re-runs (5 s of running), each Pod deleted by pod-garbage-collector after it had succeeded.",
    ],
    [
      { podCount: 2, losses: [{ times: 1, by: POD_GC }, { times: 1 }] },
      "2 needless re-runs (5 s of running), after 1 succeeded Pod deleted most likely by pod-garbage-collector " +
        "and 1 success reported Failed later.",
    ],
    [{ losses: [] }, "1 needless re-run (5 s of running), though nothing shows that a success was lost."],
    [
      { answeredDeletion: true },
      "1 Pod ran for 5 s in place of a deleted Pod, which had answered its deletion with exit code 0.",
    ],
  ])("%o", (more, message) => {
    expect(explained(reRun(more)).message).toBe(message);
  });

  it("name the threshold of Pod GC only where Pod GC deleted Pods", () => {
    expect(explained(reRun()).remedies.join()).toContain("--terminated-pod-gc-threshold");
    expect(explained(reRun({ losses: [{ times: 1 }] })).remedies).toHaveLength(1);
  });

  it("show what happened in turn", () => {
    const evidence = [
      evidenceOf({ what: "completed", successes: 1 } as const),
      evidenceOf({ what: "completed", successes: 3 } as const),
      evidenceOf({ what: "deleted", by: POD_GC } as const),
      evidenceOf({ what: "failedAfterSuccess" } as const),
      evidenceOf({ what: "created" } as const),
      evidenceOf({ what: "created", end: { phase: "Failed", ranMillis: 2_000 } } as const),
    ];
    expect(explained(reRun({ evidence })).details).toEqual([
      "succeeded: the Job was complete",
      "succeeded: it was success number 3, and the Job was complete",
      "was deleted most likely by pod-garbage-collector after it had succeeded",
      "was reported Failed after it had succeeded",
      "was created though the Job was complete",
      "was created though the Job was complete, and failed after 2 s",
    ]);
  });
});
