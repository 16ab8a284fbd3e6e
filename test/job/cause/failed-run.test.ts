import { describe, expect, it } from "vitest";
import { causeOfRun, containerRef } from "../../../src/job/cause/failed-run.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import type { ContainerEnded } from "../../../src/job/model/fact.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

const work = { container: "work", role: "main" } as const;
const node = "node-a";

function causeOf(end: Partial<ContainerEnded>, tell: (story: Story) => void = () => undefined): PodCause | undefined {
  const story = new Story();
  story.podCreated("a", { containers: ["work"] });
  story.podStarted("a");
  story.after(10);
  tell(story);
  story.containerEnded("a", end.exitCode ?? 1, 10, end);
  const [ended] = story.pod("a").ended?.values() ?? [];
  return ended && causeOfRun(story.pod("a"), ended, story.clusterContext);
}

const probe =
  (kind: "liveness" | "readiness", more: object = {}) =>
  (story: Story) =>
    eventAbout(story, "a", { reason: "Unhealthy", details: { about: "probe", probe: kind }, ...more });

describe("why a run failed", () => {
  it.each<[string, Partial<ContainerEnded>, PodCause | undefined]>([
    [
      "out of memory, whatever the exit code",
      { exitCode: 3, reason: "OOMKilled", memoryLimit: "32Mi" },
      { cause: "outOfMemory", ...work, exitCode: 3, memoryLimit: "32Mi" },
    ],
    [
      "lost by the container runtime",
      { exitCode: 255, reason: "Unknown" },
      { cause: "outcomeLost", by: "runtime", ...work, node },
    ],
    ["a program's own exit code 255", { exitCode: 255 }, { cause: "exited", ...work, exitCode: 255 }],
    [
      "never started",
      { exitCode: 128, reason: "StartError" },
      { cause: "containerNotStarted", ...work, reason: "StartError" },
    ],
    ["a signal", { exitCode: 134, signal: 6 }, { cause: "exited", ...work, exitCode: 134, signal: 6 }],
    ["a success", { exitCode: 0 }, undefined],
    ["a placeholder, which shows nothing", { exitCode: 137, reason: "ContainerStatusUnknown" }, undefined],
  ])("%s", (_, end, cause) => {
    expect(causeOf(end)).toEqual(cause);
  });

  it.each<[string, Partial<ContainerEnded>, (story: Story) => void, PodCause["cause"]]>([
    ["a liveness probe and SIGKILL", { exitCode: 137 }, probe("liveness"), "probeFailed"],
    ["a liveness probe, and an exit code of its own", { exitCode: 1 }, probe("liveness"), "exited"],
    ["a readiness probe, which kills nothing", { exitCode: 137 }, probe("readiness"), "exited"],
    [
      "a probe of another container",
      { exitCode: 137 },
      probe("liveness", { details: { about: "probe", probe: "liveness", container: "proxy" } }),
      "exited",
    ],
    ["a probe long after the end", { exitCode: 137, finishedAt: 0 }, probe("liveness"), "exited"],
    [
      "an Event of another Pod with the same name",
      { exitCode: 137 },
      probe("liveness", { target: { kind: "Pod", namespace: "default", name: "render-a", uid: "other" } }),
      "exited",
    ],
  ])("%s", (_, end, tell, cause) => {
    expect(causeOf(end, tell)?.cause).toBe(cause);
  });
});

describe("a container", () => {
  it.each([
    ["work", undefined, "main"],
    ["prepare", true, "init"],
    ["proxy", true, "sidecar"],
  ] as const)("%s is %s", (container, init, role) => {
    const story = new Story();
    story.podCreated("a", { containers: ["work"], sidecars: ["proxy"] });
    expect(containerRef(story.pod("a"), { container, ...(init !== undefined && { init }) })).toEqual({
      container,
      role,
    });
  });
});
