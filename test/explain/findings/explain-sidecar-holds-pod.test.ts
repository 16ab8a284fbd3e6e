import { describe, expect, it } from "vitest";
import type { SidecarHoldsPod } from "../../../src/job/findings/find-sidecar-holds-pod.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";

function held(more: Partial<SidecarHoldsPod> = {}): SidecarHoldsPod {
  const pods = [{ ...POD, running: ["proxy"] }];
  return { kind: "SidecarHoldsPod", podCount: 1, stillHeld: 1, workFailed: false, pods, evidence: [], ...more };
}

describe("a Pod that another container keeps running, in words", () => {
  it.each<[Partial<SidecarHoldsPod>, string]>([
    [{}, "1 Pod had done the work and is kept running by another container (render-a: proxy)."],
    [
      { workFailed: true, stillHeld: 0 },
      "1 Pod had come to the end of the work and was kept running by another container until it was deleted " +
        "(render-a: proxy).",
    ],
    [
      { podCount: 3, stillHeld: 1 },
      "3 Pods had done the work and were kept running by another container, 1 of them still " +
        "(render-a: proxy and 2 more).",
    ],
  ])("%o", (more, message) => {
    expect(explained(held(more)).message).toBe(message);
  });

  it("shows the containers", () => {
    const evidence = [
      evidenceOf({ what: "mainEnded", container: "work", exitCode: 0, running: ["proxy"] } as const),
      evidenceOf({ what: "deletionRequested" } as const),
    ];
    expect(explained(held({ evidence })).details).toEqual([
      "container work had ended with exit code 0; proxy still ran",
      "was marked for deletion, and its containers were stopped for that",
    ]);
  });
});
