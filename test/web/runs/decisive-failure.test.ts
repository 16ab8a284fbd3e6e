import { describe, expect, it } from "vitest";
import type { RunAttemptAnswer } from "../../../src/explain/run/run-document.ts";
import { decisiveFailure, podOfFailure } from "../../../web/runs/decisive-failure.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { second } from "../../support/story/listed-job.ts";

function failedAttempt(number: number, pod?: string): RunAttemptAnswer {
  const firstFailure = { job: "worker", jobUid: "j", category: "application", at: second(number) } as const;
  return { number, state: "Failed", jobs: [], firstFailure: { ...firstFailure, ...(pod !== undefined && { pod }) } };
}

describe("the failure that decided a run", () => {
  it("is that of the last attempt that has one", () => {
    const complete: RunAttemptAnswer = { number: 2, state: "Complete", jobs: [] };
    const found = decisiveFailure({ attempts: [failedAttempt(0, "a"), failedAttempt(1, "b"), complete] });
    expect([found?.number, found?.failure.pod]).toEqual([1, "b"]);
  });

  it("is absent if no attempt failed", () => {
    expect(decisiveFailure({ attempts: [] })).toBeUndefined();
  });
});

describe("its Pod", () => {
  const pods = new Map([["j", [attemptOf(1), attemptOf(2)]]]);

  it.each([
    ["report-1", "report-1"],
    [undefined, "report-2"],
    ["gone", undefined],
  ])("with the name %s is %s", (name, found) => {
    const decisive = decisiveFailure({ attempts: [failedAttempt(0, name)] });
    expect(decisive && podOfFailure(decisive, pods)?.name).toBe(found);
  });
});
