import { describe, expect, it } from "vitest";
import { type EndedPodDeletion, isSweptByPodGc } from "../../../src/job/evidence/pod-gc-sweeps.ts";

function deletions(seconds: readonly number[], afterSeconds: number, graceSeconds = 0): readonly EndedPodDeletion[] {
  return seconds.map((at) => ({ at: at * 1000, afterMillis: afterSeconds * 1000, graceSeconds }));
}

describe("deletions of ended Pods", () => {
  it.each<[string, readonly EndedPodDeletion[], boolean]>([
    ["three sweeps of Pod GC", deletions([20, 40, 61], 7), true],
    ["sweeps that each took several Pods", deletions([20, 20, 40, 40, 60], 7), true],
    ["two sweeps", deletions([20, 40], 7), false],
    ["one deletion", deletions([20], 7), false],
    ["none", [], false],
    ["deletions within one period", deletions([20, 38, 60], 7), false],
    ["deletions at each success, as a user or a program makes them", deletions([20, 50, 80], 2), false],
    ["deletions long after the end", deletions([200, 400, 600], 121), false],
    ["deletions with a grace period", deletions([20, 40, 60], 7, 30), false],
  ])("%s: Pod GC %#", (_, given, isSwept) => {
    expect(isSweptByPodGc(given)).toBe(isSwept);
  });
});
