import type { DuplicateExecution } from "../../../src/explain/findings/duplicate-execution.ts";
import type { Overlap } from "../../../src/job/evidence/duplicate-runs.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { describe, expect, it } from "vitest";

const SECOND = { uid: "uid-b", name: "render-b", node: "node-b" };

function duplicate(overlap: Overlap, more: Partial<DuplicateExecution> = {}): DuplicateExecution {
  const pairs = [{ first: POD, second: SECOND, overlap, secondSucceeded: true }];
  return { kind: "DuplicateExecution", certain: false, times: 1, pairs, evidence: [], ...more };
}

describe("a duplicate execution in words", () => {
  it.each<[Overlap, string]>([
    ["atOnce", "render-b (node-b) started while render-a (node-a) was still running"],
    ["afterSuccess", "render-b (node-b) ran after render-a (node-a) had run to success, and succeeded too"],
    ["afterStop", "render-b (node-b) started, and render-a (node-a) had answered its deletion with exit code 0"],
    ["unknownEnd", "render-b (node-b) started, and how render-a (node-a) ended is unknown"],
    ["inPlace", "render-b (node-b) was started again in place, and how its run before ended is unknown"],
  ])("%s", (overlap, text) => {
    expect(explained(duplicate(overlap)).message).toBe(`The same work may have run twice: ${text}.`);
  });

  it("is certain, and counted, where it is", () => {
    const message = explained(duplicate("atOnce", { certain: true, times: 4 })).message;
    expect(message).toMatch(/^The same work ran twice \(4 times\): .* and 3 more\.$/);
  });

  it("has podReplacementPolicy as a remedy, except for runs in place", () => {
    expect(explained(duplicate("unknownEnd")).remedies.join()).toContain("podReplacementPolicy: Failed");
    expect(explained(duplicate("inPlace")).remedies.join()).not.toContain("podReplacementPolicy");
  });

  it("shows the runs", () => {
    const evidence = [
      evidenceOf({ what: "started", node: "node-a" } as const),
      evidenceOf({ what: "ended", phase: "Succeeded", ranMillis: 3_000 } as const),
      evidenceOf({ what: "ended", phase: "Failed" } as const),
      evidenceOf({ what: "failedUnobserved" } as const),
      evidenceOf({ what: "runLost", container: "work" } as const),
    ];
    expect(explained(duplicate("atOnce", { evidence })).details).toEqual([
      "started to run on node-a",
      "succeeded after 3 s",
      "failed",
      "was reported Failed; no end of its containers was reported",
      "container work was lost by the container runtime (exit code 255, Unknown), and was started again in place",
    ]);
  });
});
