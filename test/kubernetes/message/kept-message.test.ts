import { describe, expect, it } from "vitest";
import { keptMessage } from "../../../src/kubernetes/message/kept-message.ts";

describe("the details that a recording contains in place of a message", () => {
  const options = { epoch: 0, messages: false, containerMessages: false };
  const details = { about: "missing", object: "Secret", name: "payment-keys" } as const;

  it("lose the name of a missing object, if names are not included", () => {
    expect(keptMessage({ reason: "FailedMount", details }, { ...options, names: false })).toEqual({
      details: { about: "missing", object: "Secret" },
    });
  });

  it("keep the name, if names are included", () => {
    expect(keptMessage({ reason: "FailedMount", details }, { ...options, names: true })).toEqual({ details });
  });
});
