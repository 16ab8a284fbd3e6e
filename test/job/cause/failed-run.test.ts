import { describe, expect, it } from "vitest";
import { answeredProbe, causeOfRun, containerRef } from "../../../src/job/cause/failed-run.ts";
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
  const ended = [...(story.pod("a").ended?.values() ?? [])].at(-1);
  return ended && causeOfRun(story.pod("a"), ended, story.clusterContext);
}

const probe =
  (kind: "liveness" | "readiness" | "startup" | "postStart", more: object = {}) =>
  (story: Story) =>
    eventAbout(story, "a", { reason: "Unhealthy", details: { about: "probe", probe: kind }, ...more });

const LIVENESS = { about: "probe", probe: "liveness" } as const;
const KILLING = { reason: "Killing" } as const;
const END = new Story().second(10);
const LATEST_END = END - 10_000;

function restartingAll(story: Story): void {
  story.containerEnded("a", 137, 0, { reason: "RestartingAllContainers" });
}

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

  describe("with a device", () => {
    const gpu = { resource: "nvidia.com/gpu", device: "GPU-1" };
    const observed =
      (...containers: readonly string[]) =>
      (story: Story) =>
        story.podObserved("a", { unhealthy: containers.map((container) => ({ container, ...gpu })) });

    it.each<[string, (story: Story) => void, object]>([
      ["that was Unhealthy", observed("work"), { unhealthy: gpu }],
      ["of another container", observed("other"), {}],
      ["that was healthy again", (s) => (observed("work")(s), observed()(s)), {}],
    ])("%s", (_, tell, expected) => {
      expect(causeOf({}, tell)).toEqual({ cause: "exited", ...work, exitCode: 1, ...expected });
    });

    it("names it for the last run of the container alone", () => {
      const story = new Story();
      story.containerEnded("a", 1, 5);
      story.containerEnded("a", 1, 5, { restartCount: 1 });
      observed("work")(story);
      const causes = [...(story.pod("a").ended?.values() ?? [])].map((end) =>
        causeOfRun(story.pod("a"), end, story.clusterContext),
      );
      expect(causes.map((why) => why !== undefined && "unhealthy" in why)).toEqual([false, true]);
    });
  });

  it("for which a rule restarted all containers", () => {
    expect(causeOf({ exitCode: 88 }, restartingAll)).toMatchObject({
      cause: "exited",
      exitCode: 88,
      restartedAll: true,
    });
  });

  it.each<[string, Partial<ContainerEnded>, (story: Story) => void, PodCause["cause"]]>([
    ["a liveness probe and SIGKILL", { exitCode: 137 }, probe("liveness"), "probeFailed"],
    ["a liveness probe and SIGTERM", { exitCode: 143 }, probe("liveness"), "probeFailed"],
    ["a startup probe", { exitCode: 137 }, probe("startup"), "probeFailed"],
    ["a failed postStart hook", { exitCode: 137 }, probe("postStart"), "probeFailed"],
    ["an exit code of its own, but an Event of the kill", { exitCode: 1 }, probe("liveness", KILLING), "probeFailed"],
    ["an Event as late as it may be", { exitCode: 137, finishedAt: LATEST_END }, probe("liveness"), "probeFailed"],
    ["an Event that is later", { exitCode: 137, finishedAt: LATEST_END - 1 }, probe("liveness"), "exited"],
    ["an Event when the run began", { exitCode: 137, startedAt: END }, probe("liveness"), "probeFailed"],
    ["an Event of an earlier run", { exitCode: 137, startedAt: END + 1 }, probe("liveness"), "exited"],
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

describe("a container that did not start", () => {
  it.each(["StartError", "ContainerCannotRun", "ContainerDidNotRun", "CreateContainerError", "RunContainerError"])(
    "for %s did not run",
    (reason) => {
      expect(causeOf({ exitCode: 128, reason })).toEqual({ cause: "containerNotStarted", ...work, reason });
    },
  );

  it.each<NonNullable<ContainerEnded["details"]>>([
    { about: "start", problem: "programNotFound" },
    { about: "missing", object: "Secret" },
  ])("has the details about $about", (details) => {
    expect(causeOf({ exitCode: 128, reason: "StartError", details })).toMatchObject({ details });
  });
});

function answered(tell: (story: Story) => void, exitCode = 0, containers: readonly string[] = ["work"]) {
  const story = new Story();
  story.podCreated("a", { containers });
  story.podStarted("a");
  story.after(10);
  tell(story);
  story.containerEnded("a", exitCode, 10);
  const pod = story.pod("a");
  return [...(pod.ended?.values() ?? [])].map((end) => answeredProbe(pod, end, story.clusterContext))[0];
}

const killed = (seconds: number) => (story: Story) => {
  probe("liveness", { lastAt: story.now - seconds * 1_000 })(story);
  eventAbout(story, "a", { reason: "Killing" });
};

const named = (story: Story) => eventAbout(story, "a", { ...KILLING, details: { ...LIVENESS, container: "work" } });

describe("a success that may answer a probe", () => {
  const found = { cause: "probeFailed", probe: "liveness", ...work, exitCode: 0 };
  it.each<[string, ReturnType<typeof answered>]>([
    ["an Event of the kill that names the container", answered(named, 0, ["work", "helper"])],
    ["a probe that failed in the same second", answered(killed(0))],
    ["a probe that failed a second before", answered(killed(1))],
  ])("answers it after %s", (_, cause) => {
    expect(cause).toEqual(found);
  });

  it.each<[string, ReturnType<typeof answered>]>([
    ["a probe that failed earlier", answered(killed(2))],
    ["a failure of its own", answered(named, 3)],
    [
      "a deletion of the Pod",
      answered((story) => (named(story), story.podDeletionRequested("a", "Running", { graceSeconds: 30 }))),
    ],
    ["a kill of one of two containers, which is not named", answered(killed(0), 0, ["work", "helper"])],
    ["no Event", answered(() => undefined)],
  ])("answers nothing after %s", (_, cause) => {
    expect(cause).toBeUndefined();
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

  it("of a Pod whose creation was not observed is a main container", () => {
    const story = new Story();
    story.podStarted("a");
    expect(containerRef(story.pod("a"), { container: "proxy" }).role).toBe("main");
  });
});
