import { describe, expect, it } from "vitest";
import { Story } from "../../support/story/story.ts";
import { answerOf, findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";

const STUCK = ["PhantomRunning", "NodeUnreachable", "SidecarHoldsPod"];

/** A running Pod of a tracked Job on a ready node, `seconds` after it started. */
function running(seconds: number, containers: readonly string[] = ["work"], restartPolicy = "Never"): Story {
  const story = new Story();
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated({ restartPolicy });
  story.jobTracked();
  story.podCreated("a", { containers });
  story.podTracked("a");
  story.podStarted("a");
  story.after(seconds);
  return story;
}

function ended(exitCode: number, restartPolicy = "Never"): Story {
  const story = running(10, ["work"], restartPolicy);
  story.containerEnded("a", exitCode, 10);
  story.podObserved("a", { ready: false, running: [] });
  return story;
}

function withNode(ready: "False" | "Unknown" | "gone"): Story {
  const story = running(10);
  if (ready === "gone") story.nodeDeleted("node-a");
  else story.node("node-a", ready);
  return story;
}

function partlyEnded(
  containers: readonly string[],
  done: string,
  exitCode = 0,
  sidecars: readonly string[] = [],
): Story {
  const story = running(10, containers);
  if (sidecars.length > 0) story.podCreated("a", { containers, sidecars });
  story.containerEnded("a", exitCode, 10, { container: done });
  const left = [...containers, ...sidecars].filter((name) => name !== done);
  story.podObserved("a", { ready: false, running: left });
  return story;
}

/** Container "work" has failed, and has restart rules of its own. */
function restartable(containers: readonly string[]): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a", { containers, restartable: ["work"] });
  story.podStarted("a");
  story.after(10);
  story.containerEnded("a", 42, 10);
  story.podObserved("a", { ready: false, running: containers.filter((name) => name !== "work") });
  return story;
}

describe("a Pod that does not end", () => {
  it.each<[string, Story, seconds: number, finding: string | undefined]>([
    ["runs a long program on a ready node", running(10), 86_400, undefined],
    ["was not ready for an hour on a ready node", unready(), 3_600, undefined],
    ["has its containers ended for 4 s", ended(0), 4, undefined],
    ["has its containers ended for 5 s", ended(0), 5, "PhantomRunning"],
    ["has its containers failed, and is not restarted", ended(1), 5, "PhantomRunning"],
    ["has its containers failed, and is about to be restarted", ended(1, "OnFailure"), 300, undefined],
    ["has its containers failed, and was not restarted for 10 min", ended(1, "OnFailure"), 600, "PhantomRunning"],
    ["has its container failed, which a rule of its own may restart", restartable(["work"]), 300, undefined],
    ["has its container failed, which no rule restarted for 10 min", restartable(["work"]), 600, "PhantomRunning"],
    ["has its work failed, which a rule may restart", restartable(["work", "log"]), 300, undefined],
    ["is held, as no rule restarted its work for 10 min", restartable(["work", "log"]), 600, "SidecarHoldsPod"],
    ["is on a node that is unreachable", withNode("Unknown"), 0, "NodeUnreachable"],
    ["is on a node that is not ready", withNode("False"), 0, "NodeUnreachable"],
    ["is on a node that is gone", withNode("gone"), 0, "NodeUnreachable"],
    ["may yet end with its second container", partlyEnded(["work", "proxy"], "work"), 2, undefined],
    ["is held by an old-style sidecar", partlyEnded(["work", "proxy"], "work"), 3, "SidecarHoldsPod"],
    ["is held by a sidecar that is listed first", partlyEnded(["istio-proxy", "work"], "work"), 3, "SidecarHoldsPod"],
    ["is held though its work failed", partlyEnded(["work", "proxy"], "work", 1), 3, "SidecarHoldsPod"],
    ["has its work failed, and is about to be restarted", restarting(), 3_600, undefined],
    ["has its second container ended, the first at work", partlyEnded(["work", "setup"], "setup"), 3_600, undefined],
    ["waits for its sidecars to stop", partlyEnded(["work"], "work", 0, ["log"]), 59, undefined],
    ["is held by its sidecar", partlyEnded(["work"], "work", 0, ["log"]), 60, "SidecarHoldsPod"],
  ])("that %s", (_, story, seconds, finding) => {
    const found = kindsOf(story, story.now + seconds * 1000).filter((kind) => STUCK.includes(kind));
    expect(found).toEqual(finding === undefined ? [] : [finding]);
  });

  it("is no longer held once its node is ready again", () => {
    const story = withNode("Unknown");
    story.after(30);
    story.node("node-a", "True", "KubeletReady");
    expect(kindsOf(story)).toEqual([]);
  });

  it("is not on a silent node when it ended there before", () => {
    const story = running(10);
    story.podCreated("b");
    story.podTracked("b");
    story.podStarted("b");
    story.containerEnded("b", 0, 0);
    story.podTerminated("b", "Succeeded", { tracked: true });
    story.after(5);
    story.node("node-a", "Unknown");
    expect(namesIn(findingOf(story, "NodeUnreachable"))).toEqual(["render-a"]);
  });
});

describe("a Pod that runs without a change", () => {
  it.each<[string, Story, seconds: number, phantomAfter: number | undefined, found: boolean]>([
    ["for a day is not suspected unless that is asked for", running(10), 86_400, undefined, false],
    ["is suspected after as long as was asked", running(0), 600, 600_000, true],
    ["is not suspected a second before", running(0), 599, 600_000, false],
    ["is not suspected where it waits to be started again", waiting(), 3_600, 600_000, false],
    ["is not suspected where it is asked to go", terminating(), 3_600, 600_000, false],
  ])("%s", (_, story, seconds, phantomAfter, found) => {
    const { findings } = answerOf(story, {
      now: story.now + seconds * 1_000,
      ...(phantomAfter !== undefined && { phantomAfter }),
    });
    expect(findings.map(({ kind }) => kind).includes("PhantomRunning")).toBe(found);
  });

  it("has the name, node and last transition, and no guess", () => {
    const story = running(0);
    const { findings } = answerOf(story, { now: story.now + 1_800_000, phantomAfter: 600_000 });
    expect(findings[0]?.message).toBe(
      "No change for 10 min or more of 1 Pod that runs (render-a on node-a since 2026-01-01T00:00:00Z): " +
        "phantom-running, or a program that takes long; no fact shows which.",
    );
    expect(findings[0]?.evidence.map(({ kind }) => kind)).toEqual(["PodObserved"]);
  });

  it("is a proven phantom only once, though it does not change either", () => {
    const story = ended(0);
    const { findings } = answerOf(story, { now: story.now + 3_600_000, phantomAfter: 600_000 });
    expect(findings.map(({ message }) => message)).toEqual([expect.stringMatching(/^1 Pod is phantom-running/)]);
  });
});

function waiting(): Story {
  const story = running(10);
  story.podObserved("a", { ready: false, waiting: { container: "work", reason: "CrashLoopBackOff" } });
  return story;
}

function terminating(): Story {
  const story = running(10);
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  return story;
}

describe("a Pod that its sidecar held until its deletion", () => {
  it.each<[string, held: number, phase: "Succeeded" | "Failed" | undefined, finding: boolean]>([
    ["is found when it failed for that", 4, "Failed", true],
    ["is found when it succeeded for that", 4, "Succeeded", true],
    ["is found when its end was not observed", 4, undefined, true],
    ["is not found when it was taken away within moments", 2, "Failed", false],
  ])("%s", (_, held, phase, finding) => {
    const story = partlyEnded(["work", "proxy"], "work");
    story.after(held);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.containerEnded("a", 143, 10 + held, { container: "proxy" });
    if (phase !== undefined) story.podTerminated("a", phase, { tracked: true });
    story.podDeleted("a");
    expect(kindsOf(story, story.now + 3_600_000).includes("SidecarHoldsPod")).toBe(finding);
  });

  it("is in the past tense, with the running container and the deletion", () => {
    const story = partlyEnded(["work", "proxy"], "work");
    story.after(60);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.podDeleted("a");
    const finding = findingOf(story, "SidecarHoldsPod");
    expect(finding?.message).toBe(
      "1 Pod had done the work and was kept running by another container until it was deleted (render-a: proxy).",
    );
    expect(finding?.evidence.map(({ kind }) => kind)).toEqual(["ContainerEnded", "PodDeletionRequested"]);
  });

  it("is absent if the Pod ended by itself and was deleted much later", () => {
    const story = partlyEnded(["work", "proxy"], "work");
    story.after(2);
    story.containerEnded("a", 0, 12, { container: "proxy" });
    story.podTerminated("a", "Succeeded", { tracked: true });
    story.after(3_600);
    story.podDeletionRequested("a", "Succeeded");
    story.podDeleted("a");
    expect(kindsOf(story)).not.toContain("SidecarHoldsPod");
  });
});

function restarting(): Story {
  const story = running(10, ["work", "proxy"], "OnFailure");
  story.containerEnded("a", 1, 10);
  story.podObserved("a", { ready: false, running: ["proxy"] });
  return story;
}

function unready(): Story {
  const story = running(10);
  story.podObserved("a", { ready: false, unreadySince: story.now });
  return story;
}
