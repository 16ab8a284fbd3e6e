import { describe, expect, it } from "vitest";
import type { PhantomRunning, PhantomRunningShows } from "../../../src/job/findings/find-phantom-running.ts";
import { AT, evidenceOf, explained, POD } from "../../support/story/explained.ts";

describe("a phantom-running Pod in words", () => {
  it.each<[PhantomRunning, string]>([
    [
      { kind: "PhantomRunning", proof: "containersEnded", podCount: 1, pods: [{ ...POD, since: AT }], evidence: [] },
      "1 Pod is phantom-running: all containers have ended, the phase is still Running " +
        "(render-a on node-a since 2026-01-01T00:00:00Z); what Kubernetes will make of it is unknown, not failed.",
    ],
    [
      { kind: "PhantomRunning", proof: "none", afterMillis: 600_000, podCount: 2, pods: [POD], evidence: [] },
      "No change for 10 min or more of 2 Pods that run (render-a on node-a and 1 more): " +
        "phantom-running, or a program that takes long; no fact shows which.",
    ],
  ])("%#", (finding, message) => {
    expect(explained(finding).message).toBe(message);
  });

  it.each<[PhantomRunningShows, string]>([
    [{ what: "containerEnded", container: "work", exitCode: 0 }, "container work had ended with exit code 0"],
    [{ what: "lastRunning", containersRun: true }, "was last seen in phase Running, with its containers running"],
    [{ what: "lastRunning", containersRun: false }, "was last seen in phase Running, with no container running"],
  ])("shows %o", (shows, detail) => {
    const evidence = [evidenceOf(shows)];
    const finding = { kind: "PhantomRunning", proof: "containersEnded", podCount: 1, evidence } as const;
    expect(explained(finding).details).toEqual([detail]);
  });
});
