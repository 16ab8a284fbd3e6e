import { describe, expect, it } from "vitest";
import { waitingOfPod } from "../../../src/job/cause/waiting-pod.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function waitingOf(tell: (story: Story) => void) {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
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
