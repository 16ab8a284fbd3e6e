import { describe, expect, it } from "vitest";
import { causeOfNeverRunning, causeOfWaiting, hasRunContainer } from "../../../src/job/cause/never-ran.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
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
