import { describe, expect, it } from "vitest";
import { collateralText, stoppedTexts } from "../../../src/explain/cause/stopped-pods-text.ts";
import type { StoppedPods } from "../../../src/job/cause/stopped-pods.ts";

const NONE: StoppedPods = { bySuspension: 0, byRelease: 0, surplus: 0, byEnd: 0 };
const by = { actor: "alice", confidence: "certain" } as const;

describe("stopped Pods in words", () => {
  it.each<[StoppedPods, readonly string[]]>([
    [NONE, []],
    [{ ...NONE, bySuspension: 1 }, ["its suspension stopped 1 Pod, not counted as failed"]],
    [{ ...NONE, byRelease: 2 }, ["a suspension or scale-down stopped 2 Pods, not counted as failed"]],
    [{ ...NONE, surplus: 2 }, ["2 surplus Pods stopped, not counted as failed"]],
    [{ ...NONE, answered: { pods: 1, by } }, ["1 Pod deleted by alice ended with exit code 0"]],
    [
      { ...NONE, answered: { pods: 2, by, countedAs: "failed" } },
      ["2 Pods deleted by alice ended with exit code 0, counted as failed"],
    ],
    [{ ...NONE, byEnd: 3 }, []],
  ])("%o", (stopped, texts) => {
    expect(stoppedTexts(stopped)).toEqual(texts);
  });

  it("are collateral where they went with the Job's end", () => {
    expect(collateralText({ ...NONE, byEnd: 1 })).toBe("1 more Pod stopped with it");
    expect(collateralText(NONE)).toBe("");
  });
});
