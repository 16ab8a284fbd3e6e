import { describe, expect, it } from "vitest";
import { causeOfNeverRunning, causeOfWaiting, hasRunContainer } from "../../../src/job/cause/never-ran.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import type { EventHinted } from "../../../src/job/model/fact.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function pending(tell: (story: Story) => void): Story {
  const story = new Story();
  story.podCreated("a");
  tell(story);
  return story;
}

function causeOf(tell: (story: Story) => void): PodCause | undefined {
  const story = pending(tell);
  return causeOfNeverRunning(story.pod("a"), story.clusterContext);
}

const waits = (reason: string) => (story: Story) =>
  story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason } });
const missing = { about: "missing", object: "Secret" } as const;

describe("why a Pod never ran", () => {
  it.each<[string, (story: Story) => void, Partial<PodCause> | undefined]>([
    ["its image", waits("ErrImagePull"), { cause: "imageNotPulled", reason: "ErrImagePull" }],
    ["its configuration", waits("CreateContainerConfigError"), { cause: "containerNotStarted" }],
    [
      "what it waited for first, not what it showed last",
      (s) => (waits("ErrImagePull")(s), waits("ContainerCreating")(s)),
      { cause: "imageNotPulled", reason: "ErrImagePull" },
    ],
    [
      "a volume, by the Event that names the missing object",
      (s) => {
        eventAbout(s, "a", { reason: "FailedMount", details: { about: "volume", problem: "timeout" } });
        eventAbout(s, "a", { reason: "FailedMount", details: missing });
      },
      { cause: "volumeNotMounted", details: missing },
    ],
    [
      "no node",
      (s) => s.podObserved("a", { phase: "Pending", unscheduled: { reason: "" } }),
      { cause: "notScheduled", reason: "Unschedulable" },
    ],
    [
      "a gate",
      (s) => s.podObserved("a", { phase: "Pending", unscheduled: { reason: "SchedulingGated", gates: ["hold"] } }),
      { cause: "notScheduled", gates: ["hold"] },
    ],
    ["nothing that was observed", () => undefined, undefined],
    ["nothing, because it ran", (s) => (waits("ErrImagePull")(s), s.podStarted("a")), undefined],
  ])("%s", (_, tell, cause) => {
    if (cause === undefined) expect(causeOf(tell)).toBeUndefined();
    else expect(causeOf(tell)).toMatchObject(cause);
  });

  it.each([
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
  ])("is the image for %s", (reason) => {
    expect(causeOf(waits(reason))).toMatchObject({ cause: "imageNotPulled", reason });
  });

  it.each(["FailedMount", "FailedAttachVolume", "FailedMapVolume"])("is a volume for an Event %s", (reason) => {
    expect(causeOf((s) => eventAbout(s, "a", { reason }))).toMatchObject({ cause: "volumeNotMounted", reason });
  });

  it.each(["FailedCreatePodSandBox", "FailedCreatePodContainer", "FailedPrepareDynamicResources", "NetworkNotReady"])(
    "is the sandbox for an Event %s",
    (reason) => {
      expect(causeOf((s) => eventAbout(s, "a", { reason }))).toMatchObject({ cause: "sandboxFailed", reason });
    },
  );

  it("is not a volume whose driver was not registered yet", () => {
    const details = { about: "volume", problem: "notRegistered" } as const;
    expect(causeOf((s) => eventAbout(s, "a", { reason: "FailedMount", details }))).toBeUndefined();
  });

  const volume = { about: "volume", problem: "timeout" } as const;
  const start = { about: "start", problem: "programNotFound" } as const;
  const since = new Story().now;

  it.each<[string, readonly Partial<EventHinted>[], PodCause]>([
    [
      "a volume, by the first Event where none names a missing object",
      [{ reason: "FailedAttachVolume", details: volume }, { reason: "FailedMount" }],
      { cause: "volumeNotMounted", reason: "FailedAttachVolume", details: volume, since },
    ],
    [
      "a volume without details",
      [{ reason: "FailedMount" }],
      { cause: "volumeNotMounted", reason: "FailedMount", since },
    ],
    [
      "a volume without details of another kind",
      [{ reason: "FailedMount", details: { about: "pod", name: "render-a" } }],
      { cause: "volumeNotMounted", reason: "FailedMount", since },
    ],
    [
      "the sandbox, by the Event with details",
      [{ reason: "NetworkNotReady" }, { reason: "FailedCreatePodSandBox", details: start }],
      { cause: "sandboxFailed", reason: "FailedCreatePodSandBox", details: start, since },
    ],
    [
      "the sandbox, by the Event that names a missing object",
      [{ reason: "FailedCreatePodSandBox", details: missing }],
      { cause: "sandboxFailed", reason: "FailedCreatePodSandBox", details: missing, since },
    ],
    [
      "the sandbox without details",
      [{ reason: "NetworkNotReady" }],
      { cause: "sandboxFailed", reason: "NetworkNotReady", since },
    ],
    [
      "the volume rather than the sandbox",
      [{ reason: "NetworkNotReady" }, { reason: "FailedMount" }],
      { cause: "volumeNotMounted", reason: "FailedMount", since },
    ],
  ])("is %s", (_, events, cause) => {
    const found = causeOf((s) => {
      for (const event of events) eventAbout(s, "a", event);
    });
    expect(found).toEqual(cause);
  });

  it("is shown by an Event that names no uid", () => {
    const target = { kind: "Pod", namespace: "default", name: "render-a" } as const;
    expect(causeOf((s) => eventAbout(s, "a", { reason: "FailedMount", target }))?.cause).toBe("volumeNotMounted");
  });

  it("is not shown by a request about the Pod, nor by an Event in another namespace", () => {
    expect(causeOf((s) => s.requested({ pod: "a" }, "alice"))).toBeUndefined();
    const target = { kind: "Pod", namespace: "other", name: "render-a" } as const;
    expect(causeOf((s) => eventAbout(s, "a", { reason: "FailedMount", target }))).toBeUndefined();
  });

  it("names the node whose kubelet could not set the Pod up", () => {
    const found = causeOf((s) => {
      s.facts.push({ ...s.podStamp("a"), kind: "PodScheduled", node: "node-a" });
      eventAbout(s, "a", { reason: "FailedCreatePodSandBox" });
    });
    expect(found).toEqual({ cause: "sandboxFailed", reason: "FailedCreatePodSandBox", node: "node-a", since });
  });

  it("is what its container waits for, whatever Events there are", () => {
    const found = causeOf((s) => (eventAbout(s, "a", { reason: "FailedMount" }), waits("ErrImagePull")(s)));
    expect(found?.cause).toBe("imageNotPulled");
  });

  it.each<[string, object, object, object]>([
    [
      "the problem of the image",
      { reason: "ErrImagePull" },
      { about: "image", problem: "unauthorized" },
      { problem: "unauthorized" },
    ],
    ["no problem of another kind", { reason: "ErrImagePull" }, start, {}],
    ["the details of the start", { reason: "CreateContainerError" }, start, { details: start }],
    ["the missing object", { reason: "CreateContainerConfigError" }, missing, { details: missing }],
    ["no details of another kind", { reason: "CreateContainerError" }, volume, {}],
  ])("shows %s", (_, waiting, details, shown) => {
    const found = causeOf((s) =>
      s.podObserved("a", { phase: "Pending", waiting: { container: "work", ...waiting, details } as never }),
    );
    const cause = found?.cause === "imageNotPulled" ? "imageNotPulled" : "containerNotStarted";
    expect(found).toEqual({ cause, container: "work", role: "main", ...waiting, ...shown, since });
  });

  it("dates from the first Event of its kind", () => {
    const cause = causeOf((s) => {
      eventAbout(s, "a", { reason: "FailedMount", firstAt: s.now + 2_000 });
      eventAbout(s, "a", { reason: "FailedMount", firstAt: s.now + 1_000 });
    });
    expect(cause).toMatchObject({ since: new Story().now + 1_000 });
  });

  it("is not the delay between two runs", () => {
    const story = pending(waits("CrashLoopBackOff"));
    const { observed } = story.pod("a");
    expect(observed && causeOfWaiting(story.pod("a"), observed)).toBeUndefined();
  });
});

const told =
  (reason: string, more: object = {}) =>
  (story: Story) =>
    story.podObserved("a", { phase: "Pending", unscheduled: { reason, ...more } });

const notScheduled = (more: object) => ({ cause: "notScheduled", reason: "Unschedulable", ...more });

describe("a Pod without a node", () => {
  const FEW = { about: "scheduling", nodes: 2, causes: [{ cause: "nodeSelector", nodes: 2 }] } as const;
  const MORE = { about: "scheduling", nodes: 3, causes: [{ cause: "nodeSelector", nodes: 3 }] } as const;
  const began = new Story().now;
  it.each<[string, (story: Story) => void, object | undefined]>([
    ["has none since it was first observed so", told("Unschedulable"), notScheduled({ since: began })],
    ["has none since the condition says", told("Unschedulable", { since: 7 }), notScheduled({ since: 7 })],
    [
      "has none since the first condition, for the latest reason",
      (s) => (
        told("SchedulingGated", { since: 7, gates: ["hold"] })(s),
        s.after(5),
        told("Unschedulable", { since: 8 })(s)
      ),
      notScheduled({ since: 7 }),
    ],
    [
      "has none for the latest details",
      (s) => (told("Unschedulable", { details: FEW })(s), told("Unschedulable", { details: MORE })(s)),
      notScheduled({ details: MORE, since: began }),
    ],
    [
      "has none for the first details, where the latest observation has none",
      (s) => (told("Unschedulable", { details: FEW })(s), told("Unschedulable")(s)),
      notScheduled({ details: FEW, since: began }),
    ],
    [
      "had none at first, which is no reason once it was placed",
      (s) => (told("Unschedulable")(s), s.facts.push({ ...s.podStamp("a"), kind: "PodScheduled", node: "node-a" })),
      undefined,
    ],
  ])("%s", (_, tell, cause) => {
    if (cause === undefined) expect(causeOf(tell)).toBeUndefined();
    else expect(causeOf(tell)).toEqual(cause);
  });
});

describe("a container that waits", () => {
  it.each([
    [["work"], "work", "main"],
    [["work", "helper"], "helper", "main"],
    [["work"], "prepare", "init"],
    [[], "work", "main"],
  ] as const)("among the containers %j is %s: %s", (containers, container, role) => {
    const story = new Story();
    story.podCreated("a", { containers });
    story.podObserved("a", { phase: "Pending", waiting: { container, reason: "ErrImagePull" } });
    expect(causeOfNeverRunning(story.pod("a"), story.clusterContext)).toMatchObject({ container, role });
  });
});

describe("a Pod", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["ran where it was started", (s) => s.podStarted("a"), true],
    ["ran where a container ended", (s) => s.containerEnded("a", 0, 1), true],
    [
      "did not run by a placeholder alone",
      (s) => s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" }),
      false,
    ],
  ])("%s", (_, tell, hasRun) => {
    expect(hasRunContainer(pending(tell).pod("a"))).toBe(hasRun);
  });
});
