import { describe, expect, it } from "vitest";
import { type CompletionState, isCompleted } from "../../../src/job/status/completion.ts";

const running = { succeeded: 0, active: 1, deleting: false };

describe("a work queue", () => {
  it.each<readonly [string, CompletionState, boolean, boolean]>([
    ["is not complete without a success", { ...running, active: 0 }, false, false],
    ["is not complete while a Pod is active", { ...running, succeeded: 1 }, false, false],
    ["is complete with one success and no active Pod", { ...running, succeeded: 1, active: 0 }, false, true],
    [
      "is complete when suspended after a success: its active Pods are deleted",
      { ...running, succeeded: 1 },
      true,
      true,
    ],
    ["is not complete when suspended without a success", running, true, false],
    [
      "is not complete with active Pods when it is being deleted",
      { ...running, succeeded: 1, deleting: true },
      true,
      false,
    ],
  ])("%s", (_, state, suspend, expected) => {
    expect(isCompleted({ suspend }, state)).toBe(expected);
  });
});

describe("a Job with completions", () => {
  it.each<readonly [string, number, CompletionState, boolean]>([
    ["is not complete with fewer successes", 2, { ...running, succeeded: 1 }, false],
    ["is complete with its completions and surplus Pods", 2, { ...running, succeeded: 2 }, true],
    ["is complete with more successes", 2, { ...running, succeeded: 3 }, true],
    ["is complete at once with 0 completions", 0, running, true],
    ["waits for surplus Pods when it is being deleted", 2, { ...running, succeeded: 2, deleting: true }, false],
    ["is complete when it is being deleted and no Pod is active", 2, { succeeded: 2, active: 0, deleting: true }, true],
  ])("%s", (_, completions, state, expected) => {
    expect(isCompleted({ completions, suspend: false }, state)).toBe(expected);
  });
});
