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
  if (current === undefined) throw new Error("The story tells the spec.");
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
