import { describe, expect, it } from "vitest";
import { headline } from "../../../src/explain/headline.ts";
import { WAITING_AFTER_MS } from "../../../src/explain/findings/waiting.ts";
import { deriveRecord } from "../../../src/explain/derived-job.ts";
import { answerOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function runningJob(spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobTracked();
  return story;
}

const QUOTA = {
  about: "refusal",
  by: "quota",
  resources: [{ resource: "limits.cpu", requested: "2", used: "1", limit: "2" }],
} as const;

describe("a Job that is not running", () => {
  it("waits for a node, since the scheduler said so, and by how many nodes", () => {
    const story = runningJob();
    story.podCreated("a");
    const details = { about: "scheduling", nodes: 2, causes: [{ cause: "nodeSelector", nodes: 2 }] } as const;
    story.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable", since: story.now, details } });
    const since = story.now;
    story.after(30);
    const { waiting } = answerOf(story);
    expect(waiting).toMatchObject({ reason: "Unschedulable", podCount: 1 });
    expect(waiting?.message).toContain("on 2 of 2 nodes");
    expect(Date.parse(waiting?.since ?? "")).toBe(since);
  });

  it.each([
    ["ErrImagePull", "ImagePull"],
    ["InvalidImageName", "ImagePull"],
    ["CreateContainerConfigError", "ContainerConfig"],
    ["CreateContainerError", "ContainerConfig"],
  ])("waits while a container waits: %s", (reason, expected) => {
    const story = runningJob();
    story.podCreated("a");
    story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason } });
    expect(answerOf(story).waiting).toMatchObject({
      reason: expected,
      message: expect.stringContaining(reason) as unknown,
    });
  });

  it("waits for a volume, by the Events about its Pod", () => {
    const story = runningJob();
    story.podCreated("a");
    story.podObserved("a", { phase: "Pending" });
    eventAbout(story, "a", { reason: "FailedMount", details: { about: "missing", object: "Secret" } });
    expect(answerOf(story).waiting).toMatchObject({
      reason: "Volume",
      message: expect.stringContaining("Secret is missing") as unknown,
    });
  });

  it("waits for quota where the API server refuses its Pods, with the numbers and how often", () => {
    const story = runningJob();
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA, count: 7 });
    const { waiting } = answerOf(story);
    expect(waiting).toMatchObject({ reason: "QuotaExceeded", podCount: 0 });
    expect(waiting?.message).toBe(
      "FailedCreate: no Pod could be created, quota exceeded (limits.cpu: requested 2, used 1, limit 2) (7 times)",
    );
  });

  it("waits for the Pods that the quota refuses while others run", () => {
    const story = runningJob({ parallelism: 2, completions: 2 });
    story.podCreated("a");
    story.podStarted("a");
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA, count: 7 });
    story.after(400);
    const answer = answerOf(story);
    expect(answer.waiting).toMatchObject({ reason: "QuotaExceeded", podCount: 1 });
    expect(answer.waiting?.message).toMatch(/^FailedCreate: further Pods could not be created, quota exceeded/);
    expect(answer.findings.map(({ kind }) => kind)).toContain("Waiting");
  });

  it.each<[string, Parameters<Story["jobCreated"]>[0], (story: Story) => void]>([
    ["all its Pods run", { parallelism: 1, completions: 1 }, () => undefined],
    ["the last Pod was created after the refusal", { parallelism: 3, completions: 3 }, (s) => s.podCreated("b")],
    ["its only success is what it needed", { parallelism: 2, completions: 2 }, (s) => s.podSucceeds("b", 1)],
    ["it is being deleted", { parallelism: 2, completions: 2 }, (s) => s.jobDeletionRequested()],
  ])("does not wait for further Pods where %s", (_, spec, tell) => {
    const story = runningJob(spec);
    story.podCreated("a");
    story.podStarted("a");
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA });
    story.after(10);
    tell(story);
    expect(answerOf(story)).not.toHaveProperty("waiting");
  });

  it("is suspended since a time while Pods of it are still active", () => {
    const story = runningJob();
    story.podCreated("a");
    story.podStarted("a");
    story.after(5);
    story.jobSpecified({ suspend: true }, 2);
    const conditions = [{ type: "Suspended", status: "True", lastTransitionAt: story.now }];
    story.jobReported({ active: 1, conditions });
    expect(answerOf(story).waiting).toMatchObject({ reason: "Suspended", podCount: 0 });
    const { record, clusterContext, now } = story;
    expect(headline(deriveRecord(record, { clusterContext, now }))).toBe(
      "Suspended since 2026-01-01T00:00:05Z: 0 of 1 succeeded; 1 Pod still active.",
    );
  });

  it("waits for admission where a webhook denies its Pods", () => {
    const story = runningJob();
    const details = { about: "refusal", by: "webhook", name: "policy.example.com" } as const;
    eventAbout(story, undefined, { reason: "FailedCreate", details });
    expect(answerOf(story).waiting).toMatchObject({
      reason: "Admission",
      message: expect.stringContaining("policy.example.com") as unknown,
    });
  });

  it("does not wait for what refused an earlier Pod, or another Job of its name", () => {
    const story = runningJob();
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA });
    story.after(10);
    story.podFails("a", 1, 1, { tracked: true });
    expect(answerOf(story)).not.toHaveProperty("waiting");
    const other = runningJob();
    const target = { kind: "Job", namespace: "default", name: "render", uid: "another-uid" } as const;
    eventAbout(other, undefined, { reason: "FailedCreate", details: QUOTA, target });
    expect(answerOf(other)).not.toHaveProperty("waiting");
  });

  it("is suspended, or queued where Kueue's label says so", () => {
    expect(answerOf(runningJob({ suspend: true })).waiting).toMatchObject({ reason: "Suspended" });
    const story = new Story();
    story.jobCreated({ suspend: true }, { labels: { "kueue.x-k8s.io/queue-name": "gold" } });
    expect(answerOf(story).waiting).toMatchObject({ reason: "Queued", message: "queued by Kueue in queue gold" });
  });

  it("backs off, and says why the container failed", () => {
    const story = runningJob();
    story.podCreated("a");
    story.podStarted("a");
    story.containerEnded("a", 3, 1);
    story.podObserved("a", {
      phase: "Running",
      restarts: 1,
      waiting: { container: "work", reason: "CrashLoopBackOff" },
    });
    expect(answerOf(story).waiting).toMatchObject({
      reason: "BackOff",
      message: expect.stringContaining("exited with code 3") as unknown,
    });
  });

  it("does not wait once it has ended", () => {
    const story = runningJob();
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA });
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(answerOf(story)).not.toHaveProperty("waiting");
  });

  it("needs attention after five minutes, unless it waits on purpose", () => {
    const story = runningJob();
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA });
    const refusedAt = story.now;
    expect(kindsOf(story, refusedAt + WAITING_AFTER_MS - 1)).not.toContain("Waiting");
    expect(kindsOf(story, refusedAt + WAITING_AFTER_MS)).toContain("Waiting");
    const suspended = runningJob({ suspend: true });
    expect(kindsOf(suspended, suspended.now + 10 * WAITING_AFTER_MS)).not.toContain("Waiting");
  });

  it("has one answer for a thousand different Events", () => {
    const story = runningJob();
    for (let number = 0; number < 1_000; number += 1) {
      story.after(1);
      eventAbout(story, undefined, { reason: "FailedCreate", details: { about: "refusal", by: "forbidden" } });
    }
    const { waiting } = answerOf(story);
    expect(waiting?.evidence).toHaveLength(1);
    expect(waiting?.message.length).toBeLessThan(120);
  });
});

const stuck = (story: Story, pod: string, reason: string, container = "work") => {
  story.podCreated(pod, { containers: ["work", "helper"] });
  story.podObserved(pod, { phase: "Pending", waiting: { container, reason } });
};

/** What the Pods of a story wait for, visited in both orders. */
function waitingOf(story: Story) {
  const { record, clusterContext, now } = story;
  const found = derivedOf(story).waiting;
  const reversed = { ...record, pods: new Map([...record.pods].toReversed()) };
  expect(deriveRecord(reversed, { clusterContext, now }).waiting).toEqual(found);
  return found;
}

describe("a Job whose Pods wait for several reasons", () => {
  it("waits for the reason of most of them, and says how many run", () => {
    const story = runningJob({ parallelism: 4, completions: 4 });
    stuck(story, "a", "CreateContainerConfigError");
    stuck(story, "b", "ErrImagePull");
    stuck(story, "c", "ErrImagePull");
    story.podCreated("d");
    story.podStarted("d");
    const names = ["render-b", "render-c"];
    expect(waitingOf(story)).toMatchObject({ reason: "ImagePull", podCount: 2, running: 1 });
    expect(waitingOf(story)?.pods.map(({ name }) => name)).toEqual(names);
    expect(waitingOf(story)?.evidence.map(({ object, shows }) => ({ name: object.name, shows }))).toEqual(
      names.map((name) => ({ name, shows: { what: "observed", phase: "Pending", reason: "ErrImagePull" } })),
    );
  });

  it("waits for the reason of the first, if as many wait for another", () => {
    const story = runningJob({ parallelism: 2, completions: 2 });
    stuck(story, "a", "CreateContainerConfigError");
    story.after(1);
    stuck(story, "b", "ErrImagePull");
    expect(waitingOf(story)).toMatchObject({ reason: "ContainerConfig", podCount: 1 });
  });

  it("names what its first Pod waits for, since any of them waits", () => {
    const story = runningJob({ parallelism: 2, completions: 2 });
    story.podCreated("a", { containers: ["work", "helper"] });
    story.after(1);
    stuck(story, "b", "ErrImagePull", "helper");
    story.after(1);
    story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason: "ErrImagePull" } });
    expect(waitingOf(story)).toMatchObject({ since: story.second(1), why: { container: "work" } });
  });
});

function failing(failures: number, spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = runningJob(spec);
  for (let pod = 0; pod < failures; pod += 1) story.podFails(`p${pod}`, 1, 1, { tracked: true });
  story.jobReported({ failed: failures, startTime: story.second(0) });
  return story;
}

describe("a Job between two attempts", () => {
  it("waits for a delay that doubles with each failure, since the last one", () => {
    const story = failing(3);
    const since = story.now;
    story.after(6);
    expect(waitingOf(story)).toMatchObject({ reason: "BackOff", since, why: { atMostSeconds: 40 } });
  });

  it("may wait for the longest delay after a success", () => {
    const story = failing(1, { completions: 3 });
    story.podSucceeds("done", 1, { tracked: true });
    story.after(6);
    expect(waitingOf(story)?.why).toMatchObject({ atMostSeconds: 600 });
  });

  it("does not wait for it while a failed Pod is still terminating", () => {
    const story = failing(1, { parallelism: 2, completions: 2 });
    story.podCreated("b");
    story.podStarted("b");
    story.podDeletionRequested("b", "Running", { graceSeconds: 30 });
    story.after(6);
    expect(waitingOf(story)).toBeUndefined();
  });

  it("does not wait for it after the first success of a work queue", () => {
    const story = failing(1, { parallelism: 2 });
    story.podSucceeds("done", 1, { tracked: true });
    story.after(6);
    expect(waitingOf(story)).toBeUndefined();
  });

  it("waits for it in a work queue without a success", () => {
    const story = failing(1, { parallelism: 2 });
    story.after(6);
    expect(waitingOf(story)?.reason).toBe("BackOff");
  });
});

describe("the refusal of further Pods", () => {
  it("is about those that the Job lacks, by its parallelism and its completions", () => {
    const story = runningJob({ parallelism: 5, completions: 4 });
    story.podSucceeds("done", 1, { tracked: true });
    story.podCreated("a");
    story.podStarted("a");
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA });
    expect(waitingOf(story)).toMatchObject({ reason: "QuotaExceeded", podCount: 2, running: 1 });
  });
});

describe("a long wait", () => {
  const LONG = 10 * WAITING_AFTER_MS;

  it.each<[string, (story: Story) => void, Parameters<Story["jobCreated"]>[0]]>([
    ["is suspended", () => undefined, { suspend: true }],
    ["is queued", (s) => s.jobReported({}, { queueName: "gold" }), { suspend: true }],
    ["has no parallelism", (s) => s.jobReported({ startTime: s.now }), { parallelism: 0 }],
  ])("needs no attention where the Job %s on purpose", (_, tell, spec) => {
    const story = runningJob(spec);
    tell(story);
    const { record, clusterContext, now } = story;
    const derived = deriveRecord(record, { clusterContext, now: now + LONG });
    expect(derived.waiting).toBeDefined();
    expect(kindsOf(story, now + LONG)).not.toContain("Waiting");
  });

  it("is a finding with the Pods that wait, since when, and what shows it", () => {
    const story = runningJob();
    stuck(story, "a", "ErrImagePull");
    const { record, clusterContext, now } = story;
    const { waiting, findings } = deriveRecord(record, { clusterContext, now: now + WAITING_AFTER_MS });
    const finding = findings.find(({ kind }) => kind === "Waiting");
    expect(finding).toMatchObject({ kind: "Waiting", since: now, podCount: 1, pods: [{ name: "render-a" }], waiting });
    expect(finding?.evidence).toEqual(waiting?.evidence);
  });
});
