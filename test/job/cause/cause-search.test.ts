import { describe, expect, it } from "vitest";
import { headline } from "../../../src/explain/headline.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function failedJob(tell: (story: Story) => void, reason = "BackoffLimitExceeded"): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 0 });
  story.jobTracked();
  tell(story);
  story.after(1);
  story.jobFinished("Failed", reason, { failed: 1 });
  return story;
}

function endsWith(exitCode: number, end: object, failed: object = {}): (story: Story) => void {
  return (story) => {
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(10);
    story.containerEnded("a", exitCode, 10, end);
    story.podTerminated("a", "Failed", { tracked: true, ...failed });
  };
}

const killed = (uid?: string) =>
  failedJob((told) => {
    told.podCreated("a");
    told.podTracked("a");
    told.podStarted("a");
    told.after(10);
    const details = { about: "probe", probe: "liveness", container: "work" } as const;
    const other =
      uid === undefined ? {} : { target: { kind: "Pod", namespace: "default", name: "render-a", uid } as const };
    eventAbout(told, "a", { reason: "Killing", details, ...other });
    told.containerEnded("a", 137, 10);
    told.podTerminated("a", "Failed", { tracked: true });
  });

describe("the cause of a failed Job", () => {
  it.each<[string, (story: Story) => void, string, RegExp]>([
    ["out of memory", endsWith(137, { reason: "OOMKilled", memoryLimit: "32Mi" }), "oom", /OOMKilled.*work.*32Mi/],
    ["a child process out of memory", endsWith(3, { reason: "OOMKilled" }), "oom", /OOMKilled/],
    ["a program's own error", endsWith(7, { reason: "Error" }), "application", /container work exited with code 7/],
    ["an init container", endsWith(4, { container: "prepare", init: true }), "application", /init container prepare/],
    [
      "a program that is not there",
      endsWith(128, { reason: "StartError", details: { about: "start", problem: "programNotFound" } }),
      "configuration",
      /StartError.*program not found/,
    ],
    ["the container runtime down", endsWith(255, { reason: "Unknown" }), "unknown", /outcome unknown.*node-a/],
    [
      "node pressure",
      endsWith(143, {}, { reason: "Evicted", details: { about: "eviction", resource: "memory" } }),
      "eviction",
      /evicted.*memory/,
    ],
    ["a refusal by the kubelet", endsWith(0, {}, { reason: "NodeAffinity" }), "eviction", /NodeAffinity.*refused/],
    [
      "the Pod's own deadline",
      endsWith(137, {}, { reason: "DeadlineExceeded" }),
      "deadline",
      /Pod's own activeDeadlineSeconds/,
    ],
  ])("is named: %s", (_, tell, category, message) => {
    const { cause } = answerOf(failedJob(tell));
    expect(cause?.category).toBe(category);
    expect(cause?.message).toMatch(message);
    expect(cause?.evidence.length).toBeGreaterThan(0);
  });

  it("is the refusal of its Pods, if it never had one, whatever ended it", () => {
    const resources = [{ resource: "pods", requested: "1", used: "1", limit: "1" }];
    const details = { about: "refusal", by: "quota", resources } as const;
    const story = failedJob((told) => {
      eventAbout(told, undefined, { reason: "FailedCreate", details, count: 7 });
    }, "DeadlineExceeded");
    expect(derivedOf(story).cause).toMatchObject({
      attempts: 0,
      restarts: 0,
      counted: 0,
      ignored: 0,
      unsuccessful: 0,
      decides: false,
      pods: [],
      podCount: 0,
    });
    expect(answerOf(story).cause).toMatchObject({
      category: "configuration",
      message: "FailedCreate: no Pod could be created, quota exceeded (pods: requested 1, used 1, limit 1) (7 times)",
      attempts: 0,
    });
  });

  it("is not a refusal that did not keep a Pod from being created", () => {
    const story = failedJob((told) => {
      eventAbout(told, undefined, { reason: "FailedCreate", details: { about: "refusal", by: "quota" } });
      endsWith(7, { reason: "Error" })(told);
    });
    expect(answerOf(story).cause?.category).toBe("application");
  });

  it("is the waiting reason of a Pod whose containers never ran, whatever ended it", () => {
    const story = failedJob((told) => {
      told.podCreated("a");
      told.podTracked("a");
      const waiting = {
        container: "work",
        reason: "ErrImagePull",
        details: { about: "image", problem: "unauthorized" },
      } as const;
      told.podObserved("a", { phase: "Pending", waiting });
      told.after(30);
      told.podDeletionRequested("a", "Pending", { tracked: true });
      told.podObserved("a", { phase: "Pending" });
      told.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
      told.podTerminated("a", "Failed", { tracked: true });
      told.podDeleted("a");
    }, "DeadlineExceeded");
    const { cause, attempts } = answerOf(story);
    expect(cause).toMatchObject({
      category: "image",
      message: expect.stringContaining("access denied by the registry") as unknown,
    });
    expect(attempts?.[0]).not.toHaveProperty("exitCode");
    expect(attempts?.[0]?.category).toBe("image");
  });

  it("is shown by what its Pod waited for", () => {
    const story = failedJob((told) => {
      told.podCreated("a");
      told.podTracked("a");
      told.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable" } });
      told.podObserved("a", { phase: "Pending", waiting: { container: "work", reason: "ErrImagePull" } });
      told.after(30);
      told.podDeletionRequested("a", "Pending", { tracked: true });
      told.podDeleted("a");
    }, "DeadlineExceeded");
    expect(derivedOf(story).cause?.evidence.map(({ shows }) => shows)).toEqual(
      expect.arrayContaining([
        { what: "waited", container: "work", reason: "ErrImagePull" },
        { what: "unscheduled", reason: "Unschedulable" },
      ]),
    );
  });

  it("is the scheduler's reason for a Pod that never had a node", () => {
    const story = failedJob((told) => {
      told.podCreated("a");
      told.podTracked("a");
      const details = {
        about: "scheduling",
        nodes: 14,
        causes: [{ cause: "insufficient", resource: "cpu", nodes: 12 }],
      } as const;
      told.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable", details } });
      told.after(30);
      told.podDeletionRequested("a", "Pending", { tracked: true });
      told.podDeleted("a");
    }, "DeadlineExceeded");
    expect(answerOf(story).cause?.message).toBe("Unschedulable: no node fits (Insufficient cpu on 12 of 14 nodes)");
  });

  it("is the probe that killed the container, by an Event about this Pod", () => {
    expect(answerOf(killed()).cause).toMatchObject({
      category: "probe",
      message: expect.stringContaining("liveness probe") as unknown,
    });
    // An Event about another Pod with the same name says nothing about this one.
    expect(answerOf(killed("another-uid")).cause?.message).not.toContain("probe");
  });

  it("is not what an Event claims against the Pod's own status", () => {
    const story = failedJob((told) => {
      endsWith(7, { reason: "Error" })(told);
      eventAbout(told, "a", { reason: "FailedMount", details: { about: "missing", object: "Secret" } });
      eventAbout(told, "a", { reason: "Unhealthy", details: { about: "probe", probe: "readiness" } });
    });
    expect(answerOf(story).cause?.message).toBe("container work exited with code 7");
  });

  it("is the one that most attempts share, with their number", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 3 });
    story.jobTracked();
    for (const [at, exitCode] of [3, 7, 3, 3].entries()) story.podFails(`p${at}`, exitCode, 1, { tracked: true });
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 4 });
    expect(answerOf(story).cause).toMatchObject({
      attempts: 3,
      message: "container work exited with code 3 (3 times), then container work exited with code 7 once",
    });
  });

  it("is the one of the Pod that a FailJob rule matched, whatever failed more often", () => {
    const story = new Story();
    const rules = [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] as const;
    story.jobCreated({ podFailurePolicy: { rules } });
    story.jobTracked();
    for (const [at, exitCode] of [1, 1, 42].entries()) story.podFails(`p${at}`, exitCode, 1, { tracked: true });
    const details = { about: "policyRule", action: "FailJob", rule: 0, pod: "render-p2" } as const;
    story.jobFailedWith("PodFailurePolicy", details, { failed: 3 });
    const { cause, findings } = answerOf(story);
    expect(cause).toMatchObject({ attempts: 1, message: "container work exited with code 42 in 1 of 3 attempts" });
    expect(findings.map(({ message }) => message)).toContain(
      "The pod failure policy ended the Job: its FailJob rule at index 0 matched; backoffLimit (6) did not apply.",
    );
  });

  it("is the one of an index that failed for good, whatever failed more often", () => {
    const story = new Story();
    story.jobCreated({ completionMode: "Indexed", completions: 3, parallelism: 1, backoffLimitPerIndex: 1 });
    story.jobTracked();
    for (const [at, index] of [0, 2].entries()) {
      story.podCreated(`o${at}`, { index });
      story.podTracked(`o${at}`);
      story.podStarted(`o${at}`);
      story.containerEnded(`o${at}`, 1, 1);
      story.podTerminated(`o${at}`, "Failed", { tracked: true });
    }
    story.podCreated("last", { index: 1, indexFailureCount: 1 });
    story.podTracked("last");
    story.podStarted("last");
    story.containerEnded("last", 3, 1);
    story.podTerminated("last", "Failed", { tracked: true });
    story.jobFinished("Failed", "FailedIndexes", { failed: 3, failedIndexes: "1" });
    expect(answerOf(story).cause?.message).toBe("container work exited with code 3 in 1 of 3 attempts");
  });

  it("is not a Pod that the Job controller released", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 2, completions: 2 });
    story.jobTracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(10);
    story.jobSpecified({ suspend: true }, 2);
    story.podUntracked("a");
    story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    story.containerEnded("a", 143, 10);
    story.podTerminated("a", "Failed");
    const answer = answerOf(story);
    expect(answer).not.toHaveProperty("cause");
    expect(answer.attempts).toMatchObject([{ outcome: "Failed", countedAs: "void" }]);
  });

  it("is the refusal of further Pods where nothing else failed", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 2, completions: 2, activeDeadlineSeconds: 60 });
    story.jobTracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(30);
    const details = { about: "refusal", by: "quota" } as const;
    eventAbout(story, undefined, { reason: "FailedCreate", details, count: 3 });
    story.after(30);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
    expect(answerOf(story).cause).toMatchObject({
      attempts: 0,
      message: "FailedCreate: further Pods could not be created, quota exceeded (3 times)",
    });
  });

  it("does not count Pods that went with the Job's end", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 0, parallelism: 2 });
    story.jobTracked();
    story.podCreated("b");
    story.podTracked("b");
    story.podStarted("b");
    story.podFails("a", 3, 1, { tracked: true });
    story.podDeletionRequested("b", "Running", { tracked: true });
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 2 });
    story.containerEnded("b", 143, 2);
    story.podTerminated("b", "Failed", { tracked: true });
    expect(answerOf(story).cause).toMatchObject({ attempts: 1, message: "container work exited with code 3" });
  });

  it("is what a success cost, where containers were restarted in place", () => {
    const story = new Story();
    story.jobCreated();
    story.jobTracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.containerEnded("a", 137, 1, { reason: "OOMKilled", restartCount: 0 });
    story.containerEnded("a", 0, 1, { restartCount: 1 });
    story.podTerminated("a", "Succeeded", { tracked: true });
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(answerOf(story).cause).toMatchObject({
      category: "oom",
      attempts: 0,
      message: expect.stringContaining("1 restart in place") as unknown,
    });
  });

  it("is absent for a Job without trouble", () => {
    const story = new Story();
    story.jobCreated();
    story.jobTracked();
    story.podSucceeds("a", 5, { tracked: true });
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(answerOf(story)).not.toHaveProperty("cause");
    expect(answerOf(story)).not.toHaveProperty("waiting");
  });
});

/** The causes of a Job's Pods in the order of their first occurrences. */
function orderOf(tell: (story: Story) => void): readonly string[] {
  const story = new Story();
  story.jobCreated({ backoffLimit: 9 });
  story.jobTracked();
  tell(story);
  return derivedOf(story).cause?.shares.map(({ why }) => why.cause) ?? [];
}

const runs = (pod: string) => (story: Story) => (story.podCreated(pod), story.podTracked(pod), story.podStarted(pod));

describe("causes are in the order in which they first occurred:", () => {
  it.each<[string, (story: Story) => void]>([
    ["a Pod that vanished, when that was observed", (story) => story.podVanished("late")],
    ["a deleted Pod, when it was deleted", (story) => story.podDeleted("late", true)],
    [
      "a Pod whose deletion was requested, when it was",
      (story) => {
        story.podDeletionRequested("late", "Running", { tracked: true });
        story.after(30);
        story.podDeleted("late", true);
        story.podFails("last", 3, 1, { tracked: true, reason: "DeadlineExceeded" });
      },
    ],
  ])("%s", (_, tell) => {
    const order = orderOf((story) => {
      runs("late")(story);
      story.after(10);
      story.podFails("early", 3, 1, { tracked: true });
      story.after(10);
      tell(story);
    });
    expect(order.slice(0, 2)).toEqual(["exited", "outcomeLost"]);
  });

  it("a deleted Pod, when its deletion was requested and not when it was gone", () => {
    const order = orderOf((story) => {
      runs("late")(story);
      story.podDeletionRequested("late", "Running", { tracked: true });
      story.after(10);
      story.podFails("other", 3, 1, { tracked: true });
      story.podDeleted("late", true);
    });
    expect(order).toEqual(["outcomeLost", "exited"]);
  });
});

describe("the cause of a Job with a pod failure policy", () => {
  it("counts the attempts that the policy ignored, and names the rules", () => {
    const story = new Story();
    const rules = [
      { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
      { action: "Ignore", onExitCodes: { operator: "In", values: [3] } },
    ] as const;
    story.jobCreated({ backoffLimit: 0, podFailurePolicy: { rules } });
    story.jobTracked();
    for (const pod of ["a", "b"]) story.podFails(pod, 3, 1, { tracked: true });
    const [share] = derivedOf(story).cause?.shares ?? [];
    expect(share).toMatchObject({ attempts: 2, counted: 0, ignored: 2, ignoredBy: [1] });
  });
});

describe("the evidence of a cause", () => {
  it("shows the other causes by one Pod each", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 9 });
    story.jobTracked();
    for (const [at, exitCode] of [1, 1, 1, 2, 2, 3].entries()) story.podFails(`p${at}`, exitCode, 1, { tracked: true });
    const pods = derivedOf(story).cause?.evidence.map(({ object }) => object.name) ?? [];
    expect([...new Set(pods)].sort()).toEqual(["render-p0", "render-p1", "render-p2", "render-p3", "render-p5"]);
  });
});

/** A Job whose Pods fail with these exit codes, one after the other, and which then fails. */
function failsWith(exitCodes: readonly number[], finish: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 9 });
  story.jobTracked();
  for (const [at, exitCode] of exitCodes.entries()) story.podFails(`p${at}`, exitCode, 1, { tracked: true });
  finish(story);
  return story;
}

const fails = (reason: string) => (story: Story) => story.jobFinished("Failed", reason, { failed: 3 });

describe("the cause that decided", () => {
  it("is none where the condition does not name the Pod that the policy matched", () => {
    const { cause } = derivedOf(failsWith([1, 1, 42], fails("PodFailurePolicy")));
    expect(cause).toMatchObject({ decides: false, attempts: 2, why: { exitCode: 1 } });
  });

  it("is that of the named Pod", () => {
    const details = { about: "policyRule", action: "FailJob", rule: 0, pod: "render-p2" } as const;
    const story = failsWith([1, 1, 42], (s) => s.jobFailedWith("PodFailurePolicy", details, { failed: 3 }));
    expect(derivedOf(story).cause).toMatchObject({ decides: true, attempts: 1, why: { exitCode: 42 } });
  });

  it("is none of a Job without a failed index, and of one that did not fail", () => {
    expect(derivedOf(failsWith([1, 2], fails("FailedIndexes"))).cause?.decides).toBe(false);
    expect(derivedOf(failsWith([1, 2], () => undefined)).cause?.decides).toBe(false);
  });

  it.each(["FailedIndexes", "MaxFailedIndexesExceeded"])("is that of an index that failed for good: %s", (reason) => {
    const story = new Story();
    story.jobCreated({ completionMode: "Indexed", completions: 3, parallelism: 1, backoffLimitPerIndex: 1 });
    story.jobTracked();
    for (const [pod, index, exitCode, indexFailureCount] of [
      ["a", 0, 1, 0],
      ["b", 2, 1, 0],
      ["last", 1, 3, 1],
    ] as const) {
      story.podCreated(pod, { index, indexFailureCount });
      story.podTracked(pod);
      story.podStarted(pod);
      story.containerEnded(pod, exitCode, 1);
      story.podTerminated(pod, "Failed", { tracked: true });
    }
    story.jobFinished("Failed", reason, { failed: 3, failedIndexes: "1" });
    expect(derivedOf(story).cause).toMatchObject({ decides: true, attempts: 1, why: { exitCode: 3 } });
  });
});

describe("of causes with as many attempts", () => {
  it("the one that occurred first is the cause", () => {
    const found = derivedOf(failsWith([2, 1, 1, 2], fails("BackoffLimitExceeded"))).cause;
    expect(found).toMatchObject({ attempts: 2, why: { exitCode: 2 }, unsuccessful: 4 });
    expect(found?.shares.map(({ attempts }) => attempts)).toEqual([2, 2]);
  });

  it("the one with more failed runs in place is the cause", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podStarted("a");
    for (const [restartCount, exitCode] of [1, 2, 2].entries()) {
      story.after(1);
      story.containerEnded("a", exitCode, 1, { restartCount });
    }
    story.podObserved("a", { restarts: 3 });
    expect(derivedOf(story).cause).toMatchObject({ attempts: 0, restarts: 2, why: { exitCode: 2 } });
  });
});

const refusedPods = (story: Story) => eventAbout(story, undefined, { reason: "FailedCreate" });

describe("a refusal of Pods", () => {
  it.each<[string, (story: Story) => void]>([
    ["goes on", () => undefined],
    ["is complete", (story) => story.jobFinished("Complete", "CompletionsReached")],
  ])("is no cause of a Job that %s", (_, tell) => {
    const story = new Story();
    story.jobCreated();
    refusedPods(story);
    tell(story);
    expect(derivedOf(story).cause).toBeUndefined();
  });

  it("is no cause, where a Pod was created later, in whatever order the Pods are visited", () => {
    const story = new Story();
    story.jobCreated({ parallelism: 2, completions: 2 });
    story.after(10);
    for (const [pod, second] of [
      ["b", 10],
      ["a", 0],
    ] as const) {
      story.podCreated(pod, { createdAt: story.second(second) });
    }
    eventAbout(story, undefined, { reason: "FailedCreate", firstAt: story.second(5), lastAt: story.second(5) });
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(derivedOf(story).cause).toBeUndefined();
  });
});

/** Pods of a Job are deleted while they run, and the Job fails this many seconds later. */
function deletedPods(pods: readonly string[], by: (story: Story, pod: string) => void, seconds = 1): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: pods.length - 1, parallelism: pods.length, completions: pods.length });
  story.jobTracked();
  for (const pod of pods) {
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod);
  }
  story.after(10);
  for (const pod of pods) by(story, pod);
  story.after(seconds);
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: pods.length });
  return story;
}

const deletedAt =
  (exitCode: number, phase: "Succeeded" | "Failed", actor?: string) =>
  (story: Story, pod: string): void => {
    if (actor !== undefined) story.requested({ pod }, actor);
    story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 30 });
    story.podUntracked(pod);
    story.containerEnded(pod, exitCode, 0);
    story.podTerminated(pod, phase);
  };

describe("the cause of a Job whose Pods were deleted", () => {
  it.each([
    ["exit code 0", ["a"], deletedAt(0, "Succeeded"), /deleted by an unknown actor.*exit code 0.*; counted as failed/],
    ["exit code 0 and phase Failed", ["a"], deletedAt(0, "Failed"), /deleted.*exit code 0.*; counted as failed/],
    ["exit code 143", ["a"], deletedAt(143, "Failed"), /deleted.*exit code 143.*; counted against backoffLimit/],
    [
      "each attempt",
      ["a", "b"],
      deletedAt(0, "Succeeded", "bob"),
      /deleted by bob.*in 2 of 2 attempts; counted as failed/,
    ],
  ] as const)("names the deletion and how it counts: %s", (_, pods, by, line) => {
    for (const seconds of [0, 1]) {
      if (seconds === 0 && pods.length > 1) continue;
      const derived = derivedOf(deletedPods(pods, by, seconds));
      expect(headline(derived)).toMatch(line);
      expect(derived.cause).toMatchObject({ attempts: pods.length, counted: pods.length });
    }
  });

  it("names an eviction that the program answered with exit code 0", () => {
    const story = deletedPods(["a"], (told, pod) => {
      told.podDisrupted(pod, "EvictionByEvictionAPI");
      deletedAt(0, "Succeeded")(told, pod);
    });
    expect(headline(derivedOf(story))).toMatch(/evicted through the eviction API.*exit code 0, counted as failed/);
  });

  it("is the first deletion where all were requested in the second of the end", () => {
    const derived = derivedOf(deletedPods(["a", "b", "c"], deletedAt(143, "Failed"), 0));
    expect(derived.cause).toMatchObject({ why: { cause: "deleted", actor: "unknown" }, attempts: 1, podCount: 1 });
    expect(derived.stopped).toMatchObject({ byEnd: 2 });
  });

  it("is no deletion in the second of the end where an unknown Pod failed", () => {
    const story = deletedPods(["a", "b"], deletedAt(143, "Failed"), 0);
    story.jobReported({ failed: 3, conditions: story.record.job.reported?.status.conditions ?? [] });
    expect(derivedOf(story).cause).toBeUndefined();
  });

  it("is not said of a success that Kubernetes counts as one", () => {
    const story = deletedPods(["a"], deletedAt(0, "Succeeded"));
    story.jobReported({ succeeded: 1, failed: 0, conditions: story.record.job.reported?.status.conditions ?? [] });
    expect(derivedOf(story).cause).toBeUndefined();
  });
});
