import { describe, expect, it } from "vitest";
import { describePodEnd } from "../../src/explain/pod-end-text.ts";
import type { PodEnded } from "../../src/job/evidence/pod-end-evidence.ts";

describe("the end of a Pod in words", () => {
  it.each<[Omit<PodEnded, "what">, string]>([
    [{ phase: "Succeeded", exitCode: 0 }, "succeeded with exit code 0"],
    [{ phase: "Failed" }, "failed"],
    [{ phase: "Failed", reason: "Evicted" }, "failed (Evicted)"],
    [{ phase: "Failed", exitCode: 137, containerReason: "OOMKilled" }, "failed with exit code 137 (OOMKilled)"],
    [{ phase: "Failed", exitCode: 4, container: "prepare" }, "failed with exit code 4 of container prepare"],
    [
      { phase: "Failed", exitCode: 143, reason: "Evicted", container: "work" },
      "failed (Evicted) with exit code 143 of container work",
    ],
  ])("%o is: %s", (ended, text) => {
    expect(describePodEnd({ what: "podEnded", ...ended })).toBe(text);
  });
});
