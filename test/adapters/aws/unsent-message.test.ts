import { describe, expect, it } from "vitest";
import { unsentBecause, unsentMessage } from "../../../src/adapters/aws/unsent-message.ts";

describe("a message that AWS did not accept", () => {
  it.each(["InvalidParameter", "MalformedDetail", "ValidationException"])(
    "is rejected for good with %s, which is about its content",
    (code) => {
      expect(unsentMessage(code, "no")).toEqual({ outcome: "rejected", status: 400, problem: `${code}: no` });
    },
  );

  it.each(["NotFoundException", "AuthorizationErrorException", "ThrottlingException", "KMSDisabledException"])(
    "may be accepted later with %s",
    (code) => {
      expect(unsentMessage(code, "")).toEqual({ outcome: "unreachable", problem: code });
    },
  );

  it("names the error of the SDK, in at most 300 characters", () => {
    const error = Object.assign(new Error("x".repeat(1_000)), { name: "TimeoutError" });
    const result = unsentBecause(error);
    expect(result.outcome === "unreachable" && result.problem).toHaveLength(300);
    expect(unsentBecause("broken")).toEqual({ outcome: "unreachable", problem: "Error: broken" });
  });
});
