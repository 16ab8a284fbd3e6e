import { describe, expect, it } from "vitest";
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

const whoIs = (story: Story) => {
  const { responsible, retry } = derivedOf(story).cause ?? {};
  return `${responsible}, ${retry}`;
};
const evicted = (story: Story, pod: string, node = "node-a"): void => {
  story.podCreated(pod);
  story.podTracked(pod);
  story.podStarted(pod, node);
  story.after(10);
  story.podTerminated(pod, "Failed", { tracked: true, reason: "Evicted" });
  story.after(1);
};
const killedAfterSilence =
  (later: number) =>
  (story: Story): void => {
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(10);
    story.node("node-a", "Unknown");
    story.after(60);
    story.node("node-a", "True");
    story.after(later);
    story.containerEnded("a", 137, 70 + later);
    story.podTerminated("a", "Failed", { tracked: true });
  };
const runsUntilDeadline = (): Story => {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  endsWith(1, {})(story);
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b");
  story.after(10);
  story.podDeletionRequested("b", "Running", { tracked: true, graceSeconds: 30 });
  story.jobFinished("Failed", "DeadlineExceeded", { failed: 2 });
  story.containerEnded("b", 143, 10);
  story.podTerminated("b", "Failed", { tracked: true });
  return story;
};
const gone = (user: string): Story => {
  const story = new Story();
  story.jobCreated();
  for (const pod of ["a", "b"]) story.podFails(pod, 3, 5);
  story.podCreated("c");
  story.podStarted("c");
  story.after(10);
  story.requested("Job", user);
  story.jobDeletionRequested();
  story.after(1);
  story.podDeletionRequested("c", "Running", { graceSeconds: 30 });
  story.containerEnded("c", 143, 10);
  story.podTerminated("c", "Failed");
  story.podDeleted("c");
  story.jobDeleted();
  return story;
};
const policy = { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] } as const;
const withPolicy = (exitCode: number): Story => {
  const story = new Story();
  story.jobCreated({ podFailurePolicy: policy, backoffLimit: 0 });
  story.jobTracked();
  endsWith(exitCode, {})(story);
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  return story;
};
const unscheduled = (more: (story: Story) => void) =>
  failedJob((story) => {
    const details = { about: "scheduling", nodes: 1, causes: [{ cause: "insufficient", resource: "cpu" }] } as const;
    more(story);
    for (const pod of ["a", "b"]) {
      story.podCreated(pod);
      story.podObserved(pod, { unscheduled: { reason: "Unschedulable", since: story.now, details } });
      story.after(10);
      story.podTerminated(pod, "Failed", { tracked: true });
    }
  }, "DeadlineExceeded");

describe("who is responsible for the cause of a Job", () => {
  it.each<[string, Story, string]>([
    ["a program, by its exit code", failedJob(endsWith(1, {})), "program, unknown"],
    [
      "its limit, out of memory",
      failedJob(endsWith(137, { reason: "OOMKilled", memoryLimit: "1Gi" })),
      "limit, more-memory",
    ],
    ["the platform, after one eviction", failedJob((story) => evicted(story, "a")), "platform, same"],
    [
      "the platform, for another node after two evictions there",
      failedJob((story) => (evicted(story, "a"), evicted(story, "b"))),
      "platform, other-node",
    ],
    [
      "the platform, for any node after evictions from two",
      failedJob((story) => (evicted(story, "a"), evicted(story, "b", "node-b"))),
      "platform, same",
    ],
    [
      "the platform, for the same node after an eviction and a failed program there",
      failedJob((story) => {
        for (const pod of ["a", "b"]) evicted(story, pod, `node-${pod}`);
        story.podFails("c", 1, 5);
      }),
      "platform, same",
    ],
    ["no one known, after a signal", failedJob(endsWith(137, {})), "unknown, unknown"],
    [
      "the platform, after a signal on a node that was silent just before",
      failedJob(killedAfterSilence(0)),
      "platform, same",
    ],
    [
      "no one known, after a signal on a node that was silent long before",
      failedJob(killedAfterSilence(600)),
      "unknown, unknown",
    ],
    [
      "no one known, after a signal on a node that was not ready before it got the Pod",
      failedJob((story) => {
        story.node("node-a", "Unknown");
        story.after(10);
        story.node("node-a", "True");
        story.after(10);
        endsWith(137, {})(story);
      }),
      "unknown, unknown",
    ],
    ["a program, finally by a FailJob rule", withPolicy(42), "program, pointless"],
    ["a program, whose exit code no rule names", withPolicy(41), "program, unknown"],
    ["the limit, where the deadline ended a Pod after another had failed", runsUntilDeadline(), "limit, more-time"],
    ["a program, where the deadline ended no Pod", failedJob(endsWith(1, {}), "DeadlineExceeded"), "program, unknown"],
    ["the configuration, where no Pod had room", unscheduled(() => undefined), "configuration, after-a-fix"],
    ["the platform, where another Pod had room", unscheduled((story) => story.podSucceeds("z", 5)), "platform, same"],
    ["the person who deleted the Job while it ran, after failures", gone("alice"), "person, unknown"],
    ["no one known, if a program deleted it", gone("system:serviceaccount:ci:runner"), "unknown, unknown"],
  ])("is %s", (_, story, expected) => {
    expect(whoIs(story)).toBe(expected);
  });
});
