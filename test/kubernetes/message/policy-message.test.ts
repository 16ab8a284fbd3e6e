import { describe, expect, it } from "vitest";
import { parsePolicyMessage } from "../../../src/kubernetes/message/policy-message.ts";

describe("the message of a pod failure policy", () => {
  it("names the container and its exit code", () => {
    const message = "Container work for pod shop/nightly-x failed with exit code 42 matching FailJob rule at index 1";
    expect(parsePolicyMessage(message)).toEqual({
      about: "policyRule",
      action: "FailJob",
      rule: 1,
      pod: "nightly-x",
      container: "work",
      exitCode: 42,
    });
  });

  it("names the condition of the Pod", () => {
    const message = "Pod shop/nightly-x has condition DisruptionTarget matching FailIndex rule at index 0";
    expect(parsePolicyMessage(message)).toEqual({
      about: "policyRule",
      action: "FailIndex",
      rule: 0,
      pod: "nightly-x",
      condition: "DisruptionTarget",
    });
  });

  it.each([
    "",
    "Job was active longer than specified deadline",
    "Container WORK for pod shop/nightly-x failed with exit code 42 matching FailJob rule at index 1",
    "Container work for pod shop/nightly_x failed with exit code 42 matching FailJob rule at index 1",
    "Pod shop/nightly-x has condition DisruptionTarget matching Ignore rule at index 0",
    "Pod shop/nightly-x has condition DisruptionTarget matching FailJob rule at index 0 and more",
  ])("is not parsed: '%s'", (message) => {
    expect(parsePolicyMessage(message)).toBeUndefined();
  });
});
