import type { ContainerRestarted } from "../../../src/explain/findings/container-restarted.ts";
import { answerOf, findingOf } from "../../support/story/answer-of-story.ts";
import { AT, evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

function restarted(node: "True" | "Unknown"): Story {
  const story = tracked({ restartPolicy: "OnFailure" });
  story.node("node-a", "True", "KubeletReady");
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  if (node === "Unknown") story.node("node-a", "Unknown");
  story.after(5);
  story.containerEnded("a", 137, 15);
  story.podObserved("a", { restarts: 1 });
  story.node("node-a", "True", "KubeletReady");
  return story;
}

describe("a container that was restarted in place", () => {
  it("is not a new attempt, and has the exit code and run time", () => {
    const finding = findingOf(restarted("True"), "ContainerRestarted");
    expect(finding?.message).toBe(
      "1 Pod had containers restarted in place (1 restart, exit code 137: render-a); a restart is not a new attempt.",
    );
    expect(finding?.evidence[0]?.detail).toBe(
      "container work ended with exit code 137 (Error) after 15 s and was started again in place (restart 1)",
    );
    expect(answerOf(restarted("True")).attempts).toHaveLength(1);
  });

  it("is tied to what its node did at that time", () => {
    expect(findingOf(restarted("Unknown"), "ContainerRestarted")?.message).toContain(
      "around then node-a was unreachable (NodeStatusUnknown) since 2026-01-01T00:00:10Z",
    );
  });
});

function restartedWith(more: Partial<ContainerRestarted> = {}): ContainerRestarted {
  const none = { wholePods: 0, unexplainedPods: 0, nodes: [], evidence: [] };
  return { kind: "ContainerRestarted", podCount: 1, restarts: 1, exitCodes: [137], pods: [POD], ...none, ...more };
}

describe("restarts in place in words", () => {
  it("name the exit codes, and say that a restart is no attempt", () => {
    expect(explained(restartedWith()).message).toBe(
      "1 Pod had containers restarted in place (1 restart, exit code 137: render-a); a restart is not a new attempt.",
    );
  });

  it("name nodes that were not ready around then", () => {
    const nodes = [{ node: "node-a", ready: "False", reason: "KubeletNotReady", since: AT }] as const;
    expect(explained(restartedWith({ podCount: 2, restarts: 3, exitCodes: [1, 137], nodes })).message).toBe(
      "2 Pods had containers restarted in place (3 restarts, exit code 1 and 137: render-a and 1 more); " +
        "a restart is not a new attempt; " +
        "around then node-a was not ready (KubeletNotReady) since 2026-01-01T00:00:00Z.",
    );
  });

  it.each([
    ["none where a run failed: the cause of that run has one", [0, 137], 0],
    ["one where no run failed", [0], 1],
    ["one where no end is known", [], 1],
  ])("have as remedy %s", (_, exitCodes, remedies) => {
    expect(explained(restartedWith({ exitCodes })).remedies).toHaveLength(remedies);
  });

  it("name Pods of which a rule restarted all containers, which need no check of the node", () => {
    const { message, remedies } = explained(restartedWith({ exitCodes: [], wholePods: 1, unexplainedPods: 1 }));
    expect(message).toBe(
      "1 Pod had containers restarted in place (1 restart: render-a); a restart is not a new attempt; " +
        "a restart rule (RestartAllContainers) restarted all containers of 1 Pod.",
    );
    expect(remedies).toEqual([]);
  });

  it("show each run and the state of the node", () => {
    const evidence = [
      evidenceOf({ what: "runEnded", container: "work", exitCode: 137, reason: "OOMKilled", restart: 2 } as const),
      evidenceOf({ what: "runEnded", container: "work", exitCode: 1, ranMillis: 5_000, restart: 1 } as const),
      evidenceOf({
        what: "runEnded",
        container: "log",
        exitCode: 137,
        reason: "RestartingAllContainers",
        restart: 1,
      } as const),
      evidenceOf({ what: "nodeUnready", readiness: { ready: "Unknown" } } as const),
    ];
    expect(explained(restartedWith({ evidence })).details).toEqual([
      "container work ended with exit code 137 (OOMKilled) and was started again in place (restart 2)",
      "container work ended with exit code 1 after 5 s and was started again in place (restart 1)",
      "container log was removed and started again with all others",
      "was unreachable",
    ]);
  });
});
