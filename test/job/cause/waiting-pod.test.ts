import type { PodCreated } from "../../../src/job/model/fact.ts";
import { describe, expect, it } from "vitest";
import { WAITING_REASONS } from "../../../src/job/cause/waiting-cause.ts";
import { waitingOfPod } from "../../../src/job/cause/waiting-pod.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function waitingOf(tell: (story: Story) => void, more: Partial<PodCreated> = {}) {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a", more);
  tell(story);
  return waitingOfPod(story.pod("a"), {
    job: story.record.job,
    clusterContext: story.clusterContext,
    now: story.now,
  });
}

const waits =
  (reason: string, more: object = {}) =>
  (story: Story) =>
    story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason }, ...more });
const unscheduled = (more: object) => (story: Story) =>
  story.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable", ...more } });
const scheduling = (cause: string) => ({ details: { about: "scheduling", causes: [{ cause }] } });

const delayed = (tell: (story: Story) => void) =>
  waitingOf((s) => {
    s.podStarted("a");
    s.after(5);
    tell(s);
    s.after(5);
    waits("CrashLoopBackOff", { restarts: 2 })(s);
  });

const twice = (s: Story) => (s.containerEnded("a", 1, 1), s.after(9), s.containerEnded("a", 1, 1, { restartCount: 1 }));

describe("what a Pod waits for", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["a node", unscheduled(scheduling("insufficient")), "Unschedulable"],
    ["a volume that is not bound", unscheduled(scheduling("volumeUnbound")), "Volume"],
    ["a gate of Kueue", unscheduled({ gates: ["kueue.x-k8s.io/admission"] }), "Queued"],
    ["another gate", unscheduled({ gates: ["example.com/hold"] }), "Unschedulable"],
    ["its image", waits("ErrImagePull"), "ImagePull"],
    ["its configuration", waits("CreateContainerConfigError"), "ContainerConfig"],
    [
      "the delay after a failed run",
      (s) => (s.podStarted("a"), s.containerEnded("a", 1, 1), waits("CrashLoopBackOff", { restarts: 1 })(s)),
      "BackOff",
    ],
    ["a volume, by an Event", (s) => eventAbout(s, "a", { reason: "FailedMount" }), "Volume"],
    ["its sandbox, by an Event", (s) => eventAbout(s, "a", { reason: "FailedCreatePodSandBox" }), "ContainerConfig"],
    ["a scheduler, if none has placed it for 30 s", (s) => s.after(30), "Unschedulable"],
    ["nothing, while a scheduler may still place it", (s) => s.after(29), undefined],
    [
      "nothing, once it was placed",
      (s) => (s.podObserved("a", { phase: "Pending" }), s.podStarted("a"), s.after(60)),
      undefined,
    ],
    ["nothing, while it is only being started", (s) => s.podObserved("a", { phase: "Pending" }), undefined],
    ["nothing, while it runs", (s) => (eventAbout(s, "a", { reason: "FailedMount" }), s.podStarted("a")), undefined],
    ["nothing, once it has ended", (s) => (waits("ErrImagePull")(s), s.podTerminated("a", "Failed")), undefined],
  ])("%s", (_, tell, reason) => {
    expect(waitingOf(tell)?.reason).toBe(reason);
    if (reason !== undefined) expect(WAITING_REASONS).toContain(reason);
  });

  it("names the cause of the last failed run", () => {
    const found = waitingOf((s) => {
      s.podStarted("a");
      s.containerEnded("a", 137, 1, { reason: "OOMKilled" });
      s.after(5);
      s.containerEnded("a", 3, 1, { restartCount: 1 });
      waits("CrashLoopBackOff", { restarts: 2 })(s);
    });
    expect(found?.why).toMatchObject({ cause: "backOff", restarts: 2, last: { cause: "exited", exitCode: 3 } });
  });

  it.each([1, 2, 3])("names the cause of the last of %i failed runs", (runs) => {
    const found = waitingOf((s) => {
      s.podStarted("a");
      for (let restartCount = 0; restartCount < runs; restartCount += 1) {
        s.after(5);
        s.containerEnded("a", 10 + restartCount, 1, { restartCount });
      }
      waits("CrashLoopBackOff", { restarts: runs })(s);
    });
    expect(found?.why).toMatchObject({ restarts: runs, last: { exitCode: 9 + runs } });
  });

  it("waits in the delay since the first run ended, or since it was observed", () => {
    expect(delayed(twice)?.since).toBe(new Story().second(5));
    expect(delayed(() => undefined)?.since).toBe(new Story().second(10));
    expect(delayed(() => undefined)?.why).toEqual({ cause: "backOff", container: "work", restarts: 2 });
  });

  it.each<[string, (story: Story) => void, string | undefined]>([
    ["its node", (s) => s.node("node-a", "Unknown"), "NodeNotReady"],
    ["its node, which is gone", (s) => (s.node("node-a", "True"), s.nodeDeleted("node-a")), "NodeNotReady"],
    ["nothing, while the node is ready", (s) => s.node("node-a", "True"), undefined],
  ])("is %s, once it was placed there", (_, tell, reason) => {
    const placed = (s: Story) => {
      s.podStarted("a");
      const started = s.facts.findIndex(({ kind }) => kind === "PodStarted");
      s.facts.splice(started, 1);
      tell(s);
    };
    expect(waitingOf(placed)?.reason).toBe(reason);
  });

  it("is no scheduler where a container has ended or waits, however late", () => {
    expect(waitingOf((s) => (s.containerEnded("a", 0, 1), s.after(60)))).toBeUndefined();
    expect(waitingOf((s) => (waits("ContainerCreating")(s), s.after(60)))?.reason).toBe("ContainerConfig");
  });

  it("is no scheduler for a Pod whose creation was not observed", () => {
    const story = new Story();
    story.podTracked("a");
    story.after(60);
    const { job } = story.record;
    const context = { job, clusterContext: story.clusterContext, now: story.now };
    expect(waitingOfPod(story.pod("a"), context)).toBeUndefined();
  });

  it("says since the first observation, and why by the latest", () => {
    const found = waitingOf((s) => (waits("ErrImagePull")(s), s.after(60), waits("ImagePullBackOff")(s)));
    expect(found).toMatchObject({ since: new Story().now, why: { reason: "ImagePullBackOff" } });
  });
});

const placed = (s: Story) => void s.facts.push({ ...s.podStamp("a"), kind: "PodScheduled", node: "node-a" });

describe("the wait of a Pod", () => {
  const began = new Story().now;
  const GATES = ["example.com/hold", "kueue.x-k8s.io/admission"];

  it.each<[string, (story: Story) => void, object]>([
    [
      "for Kueue has no words of the scheduler, whatever other gates there are",
      unscheduled({ gates: GATES }),
      { reason: "Queued", why: { cause: "queued", by: "Kueue" }, since: began },
    ],
    [
      "for a node dates from the condition",
      unscheduled({ since: 7 }),
      { reason: "Unschedulable", why: { cause: "notScheduled", reason: "Unschedulable", since: 7 }, since: 7 },
    ],
    [
      "for a scheduler dates from its creation",
      (s) => s.after(30),
      { reason: "Unschedulable", why: { cause: "unhandled" }, since: began },
    ],
    [
      "for a silent node dates from the silence",
      (s) => (placed(s), s.after(5), s.node("node-a", "Unknown"), s.after(5)),
      { reason: "NodeNotReady", why: { cause: "nodeNotReady", node: "node-a" }, since: began + 5_000 },
    ],
    [
      "for a volume dates from its Event",
      (s) => (s.after(5), eventAbout(s, "a", { reason: "FailedMount" }), s.after(5)),
      {
        reason: "Volume",
        why: { cause: "volumeNotMounted", reason: "FailedMount", since: began + 5_000 },
        since: began + 5_000,
      },
    ],
    [
      "for its configuration dates from the first observation in both places",
      (s) => (waits("CreateContainerConfigError")(s), s.after(5), waits("CreateContainerError")(s)),
      {
        reason: "ContainerConfig",
        why: {
          cause: "containerNotStarted",
          container: "work",
          role: "main",
          reason: "CreateContainerError",
          since: began,
        },
        since: began,
      },
    ],
  ])("%s", (_, tell, expected) => {
    expect(waitingOf(tell)).toEqual(expected);
  });

  it("for a scheduler names the PodGroup that it waits for", () => {
    const why = { cause: "podGroupIncomplete", podGroup: "train" };
    const expected = { reason: "Unschedulable", why, since: began };
    expect(waitingOf((s) => s.after(30), { podGroup: "train" })).toEqual(expected);
  });

  it.each<[string, (story: Story) => void, string | undefined]>([
    ["is for a volume, where the scheduler misses one", unscheduled(scheduling("volumeMissing")), "Volume"],
    [
      "is for a volume, where that is one of several reasons",
      unscheduled({
        details: { about: "scheduling", causes: [{ cause: "insufficient" }, { cause: "volumeUnbound" }] },
      }),
      "Volume",
    ],
    [
      "is not for a node once the latest observation has one",
      (s) => (unscheduled({})(s), s.podObserved("a", { phase: "Pending" })),
      undefined,
    ],
    [
      "is for the node before the image, where the node is silent",
      (s) => (placed(s), waits("ErrImagePull")(s), s.node("node-a", "Unknown")),
      "NodeNotReady",
    ],
    [
      "is for the image on a node that is ready",
      (s) => (placed(s), waits("ErrImagePull")(s), s.node("node-a", "True")),
      "ImagePull",
    ],
    [
      "is not known on a silent node once the Pod has run there",
      (s) => (s.podStarted("a"), s.node("node-a", "Unknown")),
      undefined,
    ],
    [
      "is not for a volume once a container has ended",
      (s) => (eventAbout(s, "a", { reason: "FailedMount" }), s.containerEnded("a", 0, 1)),
      undefined,
    ],
    [
      "is for no scheduler once the Pod has started",
      (s) => (s.facts.push({ ...s.podStamp("a"), kind: "PodStarted" }), s.after(60)),
      undefined,
    ],
    ["is for no scheduler once a node was chosen", (s) => (placed(s), s.after(60)), undefined],
    ["is over while the Pod is being deleted", (s) => (s.podDeletionRequested("a", "Pending"), s.after(60)), undefined],
  ])("%s", (_, tell, reason) => {
    expect(waitingOf(tell)?.reason).toBe(reason);
  });
});
