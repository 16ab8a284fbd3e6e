import { describe, expect, it } from "vitest";
import { disruptedPodOf, failedPodOf } from "../../../src/job/status/failed-pod.ts";
import type { FailedPod } from "../../../src/job/status/pod-failure-policy.ts";
import { Story } from "../../support/story/story.ts";

function running(): Story {
  const story = new Story();
  story.podCreated("a", { containers: ["work", "log"] });
  story.podStarted("a");
  return story;
}

function failedPod(story: Story): FailedPod {
  const pod = story.pod("a");
  if (pod.failed === undefined) throw new Error("The Pod has failed.");
  return failedPodOf(pod, pod.failed);
}

describe("a failed Pod for the pod failure policy", () => {
  it("has its app containers in the order of the spec, then its init containers", () => {
    const story = running();
    story.containerEnded("a", 3, 1, { container: "fetch", init: true });
    story.containerEnded("a", 2, 1, { container: "log" });
    story.containerEnded("a", 1, 1, { container: "work" });
    story.podTerminated("a", "Failed");
    expect(failedPod(story).ends.map(({ container }) => container)).toEqual(["work", "log", "fetch"]);
  });

  it("has containers that its spec does not name after those that it names, by name", () => {
    const story = running();
    for (const container of ["zeta", "log", "alpha"]) story.containerEnded("a", 1, 1, { container });
    story.podTerminated("a", "Failed");
    expect(failedPod(story).ends.map(({ container }) => container)).toEqual(["log", "alpha", "zeta"]);
  });

  it("has a container whose end was observed with the failure", () => {
    const story = running();
    story.containerEnded("a", 1, 1);
    story.podTerminated("a", "Failed");
    const failed = story.facts.at(-1);
    const ended = story.facts.at(-2);
    if (failed === undefined || ended === undefined) return expect.fail("no facts");
    story.facts.splice(-2, 2, { ...ended, resourceVersion: failed.resourceVersion }, failed);
    expect(failedPod(story).ends).toMatchObject([{ container: "work" }]);
  });

  it("has the last run of each container", () => {
    const story = running();
    story.containerEnded("a", 1, 1);
    story.containerEnded("a", 2, 1, { restartCount: 1 });
    story.podTerminated("a", "Failed");
    expect(failedPod(story).ends).toMatchObject([{ container: "work", exitCode: 2 }]);
  });

  it("has the real end of a run rather than its placeholder", () => {
    const story = running();
    story.containerEnded("a", 42, 1);
    story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed");
    expect(failedPod(story).ends).toMatchObject([{ exitCode: 42 }]);
  });

  it("has no container that ended after the Pod was observed as Failed", () => {
    const story = running();
    story.podTerminated("a", "Failed");
    story.containerEnded("a", 1, 1);
    expect(failedPod(story).ends).toEqual([]);
  });

  it("has no container that its status says is running", () => {
    const story = running();
    story.containerEnded("a", 1, 1);
    story.podTerminated("a", "Failed", { stillRunning: ["work"] });
    expect(failedPod(story).ends).toEqual([]);
  });

  it("has the conditions of its end", () => {
    const story = running();
    const conditions = [{ type: "DisruptionTarget", status: "True" }];
    story.podTerminated("a", "Failed", { conditions });
    expect(failedPod(story)).toMatchObject({ namespace: "default", name: "render-a", conditions });
  });
});

describe("a Pod that has not ended for the pod failure policy", () => {
  it("has no containers, and condition DisruptionTarget if it was observed", () => {
    const story = running();
    story.containerEnded("a", 1, 1);
    expect(disruptedPodOf(story.pod("a"))).toMatchObject({ name: "render-a", ends: [], conditions: [] });
    story.podDisrupted("a", "EvictionByEvictionAPI");
    expect(disruptedPodOf(story.pod("a")).conditions).toEqual([{ type: "DisruptionTarget", status: "True" }]);
  });
});
