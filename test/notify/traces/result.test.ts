import { describe, expect, it } from "vitest";
import type { Cause } from "../../../src/explain/answer-document.ts";
import { errorOf, podErrorType, resultOf, stateAttributes } from "../../../src/notify/traces/result.ts";

function causeOf(said: Partial<Cause>): Cause {
  const cause = { category: "oom", responsible: "limit", retry: "more-memory", message: "OOMKilled" } as const;
  return { ...cause, attempts: 1, counted: 1, evidence: [], ...said };
}

function ended(state: string, said?: Partial<Cause>, reason?: string) {
  return { verdict: { state, ...(reason !== undefined && { reason }) }, cause: said && causeOf(said) };
}

describe("the result of a run", () => {
  it.each([
    ["Complete", undefined, "success"],
    ["Complete", {}, "success"],
    ["Failed", {}, "failure"],
    ["Failed", undefined, "failure"],
    ["Failed", { responsible: "platform" }, "error"],
    ["Failed", { category: "deadline" }, "timeout"],
    ["Deleted", undefined, "cancellation"],
    ["Unknown", undefined, "unknown"],
  ] as const)("%s with the cause %j is %s", (state, cause, expected) => {
    expect(resultOf(ended(state, cause))).toBe(expected);
  });

  it("is a timeout if the Job's deadline passed", () => {
    expect(resultOf(ended("Failed", undefined, "DeadlineExceeded"))).toBe("timeout");
  });

  it("has a class and a text of its error only if it failed", () => {
    const failed = ended("Failed", { message: "exit code 1" }, "BackoffLimitExceeded");
    expect(stateAttributes(failed)).toMatchObject({
      "outlive.state": "Failed",
      "outlive.reason": "BackoffLimitExceeded",
      "outlive.cause.category": "oom",
      "outlive.cause.responsible": "limit",
      "outlive.cause.retry": "more-memory",
      "error.type": "oom",
    });
    expect(errorOf(failed)).toBe("exit code 1");
    expect(stateAttributes(ended("Complete", {}))).toMatchObject({ "error.type": undefined });
    expect(errorOf(ended("Complete", {}))).toBeUndefined();
  });

  it.each([
    [ended("Failed", undefined, "BackoffLimitExceeded"), "BackoffLimitExceeded"],
    [ended("Failed"), "_OTHER"],
  ])("without a cause has the reason as the class of its error", (failed, expected) => {
    expect(stateAttributes(failed)["error.type"]).toBe(expected);
  });
});

describe("a Pod", () => {
  it("has a class of error only if it failed", () => {
    expect(podErrorType({ outcome: "Failed", category: "eviction" })).toBe("eviction");
    expect(podErrorType({ outcome: "Failed" })).toBe("_OTHER");
    expect(podErrorType({ outcome: "Succeeded", category: "application" })).toBeUndefined();
  });
});
