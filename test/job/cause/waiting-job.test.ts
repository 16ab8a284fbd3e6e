import { describe, expect, it } from "vitest";
import { findRefusal, waitingForMore, waitingOfJob, waitingOfSuspended } from "../../../src/job/cause/waiting-job.ts";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

const QUOTA = { about: "refusal", by: "quota" } as const;

function contextOf(tell: (story: Story) => void, spec: Parameters<Story["jobCreated"]>[0] = {}) {
  const story = new Story();
  story.jobCreated(spec);
  tell(story);
  const { job } = story.record;
  const current = currentSpec(job);
  if (current === undefined) throw new Error("The Job has no spec.");
  return {
    job,
    spec: current,
    clusterContext: story.clusterContext,
    lastCreatedAt: [...story.record.pods.values()].at(-1)?.created?.createdAt,
  };
}

const refused =
  (count = 1) =>
  (story: Story) =>
    eventAbout(story, undefined, { reason: "FailedCreate", details: QUOTA, count });

describe("a Job without Pods", () => {
  it.each<[string, (story: Story) => void, boolean, string | undefined]>([
    ["is suspended", () => undefined, true, "Suspended"],
    [
      "is queued, where Kueue sent an Event about it",
      (s) => eventAbout(s, undefined, { reason: "Suspended", source: "batch/job-kueue-controller" }),
      true,
      "Queued",
    ],
    [
      "is suspended, whatever other Events there are",
      (s) => eventAbout(s, undefined, { reason: "Suspended" }),
      true,
      "Suspended",
    ],
    ["is refused by quota", refused(), false, "QuotaExceeded"],
    ["is refused by something else", (s) => eventAbout(s, undefined, { reason: "FailedCreate" }), false, "Admission"],
    ["waits for nothing that is known", () => undefined, false, undefined],
    [
      "waits for nothing, where the refusal is over",
      (s) => (refused()(s), s.after(1), s.podCreated("a")),
      false,
      undefined,
    ],
  ])("%s", (_, tell, suspend, reason) => {
    const context = contextOf(tell, { suspend });
    expect(waitingOfJob({ ...context, now: new Story().now, missing: 1 })?.reason).toBe(reason);
  });

  it("has none that run while it is suspended", () => {
    const context = contextOf(() => undefined, { suspend: true });
    const found = waitingOfJob({ ...context, now: new Story().now, missing: 1 });
    expect(found).toMatchObject({ running: 0, podCount: 0, pods: [] });
  });

  it("names the queue that it was given after its creation", () => {
    const context = contextOf((s) => s.jobReported({}, { queueName: "gold" }), { suspend: true });
    expect(waitingOfSuspended(context, 0)?.why).toEqual({ cause: "queued", by: "Kueue", queue: "gold" });
  });

  it("may have Pods that still run while it is suspended", () => {
    expect(
      waitingOfSuspended(
        contextOf(() => undefined, { suspend: true }),
        2,
      ),
    ).toMatchObject({ running: 2, podCount: 0 });
  });
});

describe("a refusal", () => {
  it("is counted over all Events, since the first", () => {
    const found = findRefusal(
      contextOf((s) => (refused(3)(s), s.after(10), refused(2)(s))),
      0,
    );
    expect(found).toMatchObject({ since: new Story().now, why: { cause: "refused", times: 5, details: QUOTA } });
    expect(found?.why).not.toHaveProperty("hasPods");
  });

  it.each([
    [1, "QuotaExceeded"],
    [0, undefined],
  ])("of further Pods counts where %i are missing", (missing, reason) => {
    const context = contextOf((s) => (s.podCreated("a"), refused()(s)));
    const found = waitingForMore(context, { missing, running: 1 });
    expect(found?.reason).toBe(reason);
    if (reason !== undefined) expect(found).toMatchObject({ podCount: missing, running: 1, why: { hasPods: true } });
  });
});

const suspendedAt = (story: Story, status = "True") =>
  story.jobReported({ conditions: [{ type: "Suspended", status, lastTransitionAt: story.now }] });

const later = (tell: (story: Story) => void) => (story: Story) => (story.after(5), tell(story), story.after(5));

const labelled = (labels: Readonly<Record<string, string>>) => {
  const context = contextOf(() => undefined, { suspend: true });
  const { created } = context.job;
  if (created === undefined) throw new Error("The story creates the Job.");
  return { ...context, job: { ...context.job, created: { ...created, labels } } };
};

const byKueue = (s: Story) => eventAbout(s, undefined, { reason: "Suspended", source: "batch/job-kueue-controller" });

describe("a suspended Job", () => {
  it.each<[string, (story: Story) => void, number]>([
    ["since its condition", later((s) => suspendedAt(s)), 5],
    ["since its creation, where it has no condition", later((s) => s.jobReported({})), 0],
    ["since its creation, where the condition is of an earlier suspension", later((s) => suspendedAt(s, "False")), 0],
    [
      "since its creation, where another condition is true",
      later((s) => s.jobReported({ conditions: [{ type: "Other", status: "True", lastTransitionAt: s.now }] })),
      0,
    ],
  ])("waits %s", (_, tell, second) => {
    const found = waitingOfSuspended(contextOf(tell, { suspend: true }), 0);
    expect(found).toMatchObject({
      reason: "Suspended",
      why: { cause: "suspended" },
      since: new Story().second(second),
    });
  });

  it("is shown by the report", () => {
    const found = waitingOfSuspended(
      contextOf((s) => suspendedAt(s), { suspend: true }),
      0,
    );
    expect(found?.evidence.map(({ fact, shows }) => ({ fact, shows }))).toEqual([
      { fact: "JobReported", shows: { what: "suspended" } },
    ]);
    expect(
      waitingOfSuspended(
        contextOf(() => undefined, { suspend: true }),
        0,
      )?.evidence,
    ).toEqual([]);
  });

  it("is queued in the queue of its label", () => {
    const found = waitingOfSuspended(labelled({ "kueue.x-k8s.io/queue-name": "gold" }), 0);
    expect(found).toMatchObject({ reason: "Queued", why: { cause: "queued", by: "Kueue", queue: "gold" } });
  });

  it("is queued in the queue of the report rather than that of its creation", () => {
    const context = labelled({ "kueue.x-k8s.io/queue-name": "gold" });
    const { reported } = contextOf((s) => s.jobReported({}, { queueName: "silver" })).job;
    const job = { ...context.job, ...(reported !== undefined && { reported }) };
    expect(waitingOfSuspended({ ...context, job }, 0)?.why).toMatchObject({ queue: "silver" });
  });

  it("is queued without a queue, where only an Event shows Kueue", () => {
    const found = waitingOfSuspended(contextOf(byKueue, { suspend: true }), 0);
    expect(found?.why).toEqual({ cause: "queued", by: "Kueue" });
  });

  it("is not known to wait before its creation was observed", () => {
    const story = new Story();
    story.jobSpecified({ suspend: true });
    const { job } = story.record;
    const spec = currentSpec(job);
    if (spec === undefined) throw new Error("The Job has no spec.");
    const { clusterContext } = story;
    expect(waitingOfSuspended({ job, spec, clusterContext, lastCreatedAt: undefined }, 0)).toBeUndefined();
  });
});

describe("the refusal of a Pod", () => {
  const webhook = { about: "refusal", by: "webhook", name: "policy.example.com" } as const;
  const denied = (s: Story) => eventAbout(s, undefined, { reason: "FailedCreate", details: webhook });

  it("has the details of the latest Event", () => {
    const inOrder = findRefusal(
      contextOf((s) => (refused()(s), s.after(1), denied(s))),
      0,
    );
    expect(inOrder?.why.details).toEqual(webhook);
    const other = findRefusal(
      contextOf((s) => (denied(s), s.after(1), refused()(s))),
      0,
    );
    expect(other?.why.details).toEqual(QUOTA);
  });

  it("has no details of another kind, and is shown by the latest Event", () => {
    const found = findRefusal(
      contextOf((s) =>
        eventAbout(s, undefined, { reason: "FailedCreate", count: 4, details: { about: "pod", name: "p" } }),
      ),
      0,
    );
    expect(found?.why).toEqual({ cause: "refused", times: 4 });
    expect(found?.evidence).toMatchObject([
      { object: { kind: "job", name: "render" }, shows: { what: "event", reason: "FailedCreate", times: 4 } },
    ]);
  });

  it.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("counts %i s after the last Pod was created: %s", (seconds, counts) => {
    const created = new Story().second(10);
    const found = findRefusal(
      contextOf((s) => (s.after(10 + seconds), refused()(s))),
      created,
    );
    expect(found !== undefined).toBe(counts);
    if (counts) expect(found?.why.hasPods).toBe(true);
  });

  it.each([
    [-1, false],
    [0, true],
    [1, true],
  ])("of further Pods counts %i s after the last Pod was created, whose second it may share: %s", (seconds, counts) => {
    const context = contextOf((s) => (s.after(10 + seconds), refused()(s)));
    const found = waitingForMore({ ...context, lastCreatedAt: new Story().second(10) }, { missing: 1, running: 1 });
    expect(found !== undefined).toBe(counts);
  });

  it("is shown by an Event that names no uid, and by none about another Job of its name", () => {
    const target = { kind: "Job", namespace: "default", name: "render" } as const;
    const about = (uid: object) =>
      contextOf((s) => eventAbout(s, undefined, { reason: "FailedCreate", target: { ...target, ...uid } }));
    expect(findRefusal(about({}), 0)).toBeDefined();
    expect(findRefusal(about({ uid: "another-uid" }), 0)).toBeUndefined();
  });

  it("is no other Event about the Job", () => {
    expect(
      findRefusal(
        contextOf((s) => eventAbout(s, undefined, { reason: "FailedDelete" })),
        0,
      ),
    ).toBeUndefined();
  });

  it("keeps a Job from running, but not while it is suspended", () => {
    const context = contextOf(refused());
    const idle = { now: new Story().now, missing: 1 };
    expect(waitingOfJob({ ...context, ...idle })).toMatchObject({ reason: "QuotaExceeded", running: 0, podCount: 0 });
    const suspended = { ...context, spec: { ...context.spec, suspend: true } };
    expect(waitingOfJob({ ...suspended, ...idle })?.reason).toBe("Suspended");
  });
});
