import { describe, expect, it } from "vitest";
import { type Failures, type IdleContext, waitingOfIdle } from "../../../src/job/cause/idle-job.ts";
import { currentSpec } from "../../../src/job/model/current-spec.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import { Story } from "../../support/story/story.ts";

function contextOf(spec: Partial<JobSpec>, tell: (story: Story) => void = () => undefined): IdleContext {
  const story = new Story();
  story.jobCreated(spec);
  story.jobReported({});
  tell(story);
  const { job } = story.record;
  const known = currentSpec(job);
  if (known === undefined) throw new Error("The story has no spec.");
  return { job, spec: known, now: story.now, missing: 1 };
}

const failures = (failed: number, more: Partial<Failures> = {}): Failures => ({
  failed,
  lastFailedAt: new Story().now,
  hasSucceeded: false,
  ...more,
});
const started = (story: Story): void => story.jobReported({ startTime: story.now });
const later =
  (seconds: number) =>
  (story: Story): void => (started(story), story.after(seconds));

describe("a Job that idles", () => {
  it.each<[string, IdleContext, object | undefined]>([
    [
      "is left to another controller",
      contextOf({ managedBy: "example.com/other" }),
      { reason: "Controller", why: { cause: "otherController", managedBy: "example.com/other" } },
    ],
    [
      "does not wait where another controller reports Pods",
      contextOf({ managedBy: "example.com/other" }, (s) => s.jobReported({ active: 1 })),
      undefined,
    ],
    ["has no parallelism", contextOf({ parallelism: 0 }), { reason: "Parallelism", why: { cause: "noParallelism" } }],
    ["waits for nothing, where no completion is wanted", contextOf({ parallelism: 0, completions: 0 }), undefined],
    [
      "was not started by the Job controller",
      contextOf({}, (s) => s.after(60)),
      { reason: "Controller", why: { cause: "notStarted" } },
    ],
    ["is started within a minute", contextOf({}, (s) => s.after(59)), undefined],
    ["was started", contextOf({}, later(60)), undefined],
    ...[
      { active: 1, succeeded: 1 },
      { active: 1, failed: 1 },
      { succeeded: 1, failed: 1 },
    ].map((counters): [string, IdleContext, undefined] => [
      `was started, by the counters ${Object.keys(counters).join(" and ")}`,
      contextOf({}, (s) => (s.jobReported(counters), s.after(60))),
      undefined,
    ]),
    ["is being deleted", contextOf({ parallelism: 0 }, (s) => s.jobDeletionRequested()), undefined],
  ])("%s", (_, context, expected) => {
    const found = waitingOfIdle(context);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ ...expected, since: new Story().now, running: 0 });
  });

  it("has no parallelism since the latest version of its spec that says so", () => {
    const context = contextOf({ parallelism: 0 }, (s) => {
      s.after(10);
      s.jobSpecified({ parallelism: 2 }, 2);
      s.after(10);
      s.jobSpecified({ parallelism: 0 }, 3);
      s.after(10);
      s.jobSpecified({ parallelism: 1 }, 4);
    });
    expect(waitingOfIdle({ ...context, spec: { ...context.spec, parallelism: 0 } })?.since).toBe(
      new Story().second(20),
    );
  });

  it("has no parallelism since its latest version, which may be observed before an earlier one", () => {
    const context = contextOf({ parallelism: 2 }, (s) => {
      s.after(10);
      s.jobSpecified({ parallelism: 0 }, 3);
      s.after(10);
      s.jobSpecified({ parallelism: 0, suspend: true }, 2);
    });
    expect(waitingOfIdle(context)?.since).toBe(new Story().second(10));
  });

  it("has no parallelism since its spec says so", () => {
    const context = contextOf({ parallelism: 2 }, (s) => (s.after(30), s.jobSpecified({ parallelism: 0 }, 2)));
    expect(waitingOfIdle({ ...context, spec: { ...context.spec, parallelism: 0 } })?.since).toBe(
      new Story().second(30),
    );
  });
});

const shows = (tell: (story: Story) => void) =>
  waitingOfIdle(contextOf({ parallelism: 0 }, tell))?.evidence.map((one) => one.shows);

describe("what an idle Job waits for", () => {
  it("is shown by the latest report, with the Pods that it counts as active", () => {
    expect(shows((s) => s.jobReported({ active: 2 }))).toEqual([{ what: "reported", active: 2 }]);
    expect(shows((s) => s.jobReported({}))).toEqual([{ what: "reported", active: 0 }]);
  });

  it("has no evidence without a report", () => {
    const context = contextOf({ parallelism: 0 });
    const { reported: _, ...job } = context.job;
    expect(waitingOfIdle({ ...context, job })).toMatchObject({
      reason: "Parallelism",
      evidence: [],
      pods: [],
      podCount: 0,
    });
  });

  it("is not known before its creation was observed", () => {
    const context = contextOf({ parallelism: 0 });
    const { created: _, ...job } = context.job;
    expect(waitingOfIdle({ ...context, job })).toBeUndefined();
  });

  it("is another controller, before a lack of parallelism", () => {
    const found = waitingOfIdle(contextOf({ managedBy: "example.com/other", parallelism: 0 }));
    expect(found?.reason).toBe("Controller");
  });

  it("is not another controller, where the Job controller manages it", () => {
    const context = contextOf({ managedBy: "kubernetes.io/job-controller" });
    expect(waitingOfIdle(context)).toBeUndefined();
  });

  it("is not the start, where the Job needs no Pod or was never reported", () => {
    const context = contextOf({}, (s) => s.after(60));
    expect(waitingOfIdle({ ...context, missing: 0 })).toBeUndefined();
    const { reported: _, ...job } = context.job;
    expect(waitingOfIdle({ ...context, job })).toBeUndefined();
  });

  it.each<[string, Parameters<Story["jobReported"]>[0]]>([
    ["a start time", { startTime: 1 }],
    ["a condition", { conditions: [{ type: "Suspended", status: "False" }] }],
    ["an active Pod", { active: 1 }],
    ["a success", { succeeded: 1 }],
    ["a failure", { failed: 1 }],
  ])("is not the start after %s was reported", (_, status) => {
    expect(waitingOfIdle(contextOf({}, (s) => (s.jobReported(status), s.after(60))))).toBeUndefined();
  });
});

describe("the delay after failures", () => {
  it.each([
    [1, 10],
    [3, 40],
    [6, 320],
    [7, 600],
    [40, 600],
  ])("after %i failures is at most %i s", (failed, atMostSeconds) => {
    const context = { ...contextOf({ backoffLimit: 50 }, later(5)), failures: failures(failed) };
    expect(waitingOfIdle(context)).toMatchObject({ reason: "BackOff", why: { cause: "retryDelay", atMostSeconds } });
  });

  it.each([
    [4.999, false],
    [5, true],
    [70, true],
    [70.001, false],
  ])("is waited for %d s after the failure: %s", (seconds, isWaitedFor) => {
    const context = { ...contextOf({}, later(seconds)), failures: failures(1) };
    expect(waitingOfIdle(context) !== undefined).toBe(isWaitedFor);
  });

  it("is waited for after the last failure that the limit allows", () => {
    const context = { ...contextOf({ backoffLimit: 2 }, later(5)), failures: failures(2) };
    expect(waitingOfIdle(context)?.reason).toBe("BackOff");
  });

  it("is unknown after a success, which resets it", () => {
    const context = { ...contextOf({}, later(5)), failures: failures(1, { hasSucceeded: true }) };
    expect(waitingOfIdle(context)?.why).toEqual({ cause: "retryDelay", atMostSeconds: 600 });
  });

  it.each<[string, Partial<IdleContext>]>([
    ["the Job controller has had no time to create the next Pod", contextOf({}, later(4))],
    ["it has passed long ago", contextOf({}, later(71))],
    ["no Pod is missing", { missing: 0 }],
    ["the failures exceed the limit", { failures: failures(7) }],
    [
      "the Job controller has decided that the Job succeeds",
      contextOf({}, (s) => {
        later(5)(s);
        s.jobReported({ startTime: s.now, conditions: [{ type: "SuccessCriteriaMet", status: "True" }] });
      }),
    ],
    [
      "the Job controller has decided that the Job fails",
      contextOf(
        {},
        (s) => (
          later(5)(s),
          s.jobReported({ startTime: s.now, conditions: [{ type: "FailureTarget", status: "True" }] })
        ),
      ),
    ],
  ])("is not waited for where %s", (_, more) => {
    const context = { ...contextOf({}, later(5)), failures: failures(1), ...more };
    expect(waitingOfIdle(context)).toBeUndefined();
  });

  it("is what a Job waits for between two attempts, and not while one runs", () => {
    const story = tracked();
    story.podFails("a", 1, 2, { tracked: true });
    story.podUntracked("a");
    story.jobReported({ failed: 1, startTime: story.second(0) });
    story.after(6);
    expect(derivedOf(story).waiting).toMatchObject({ reason: "BackOff", since: story.second(2) });
    story.podCreated("b");
    story.podStarted("b");
    expect(derivedOf(story).waiting).toBeUndefined();
  });
});
