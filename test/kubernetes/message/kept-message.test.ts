import { describe, expect, it } from "vitest";
import { isRecordedDetails, keptMessage } from "../../../src/kubernetes/message/kept-message.ts";

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

describe("the details of a recording", () => {
  it.each([
    [{ about: "image", problem: "notFound" }],
    [{ about: "refusal", by: "quota", resources: [{ resource: "requests.nvidia.com/gpu", requested: "2" }] }],
    [{ about: "missing", object: "ConfigMap key", name: "settings" }],
    [{ about: "scheduling", nodes: 3, causes: [{ cause: "insufficient", nodes: 2, resource: "cpu" }] }],
  ])("are read: %j", (details) => {
    expect(isRecordedDetails(details)).toBe(true);
  });

  it.each([
    ["no object", "image"],
    ["an unknown subject", { about: "weather" }],
    ["an unknown field", { about: "image", problem: "notFound", text: "x" }],
    ["free text", { about: "queue", queue: "password: hunter2" }],
    ["a name that is none", { about: "missing", object: "Secret", name: "password=hunter2" }],
    ["a URL", { about: "queue", queue: "https://a?b=c" }],
    ["a line feed", { about: "queue", queue: "a\nb" }],
    ["a text that is too long", { about: "queue", queue: "a".repeat(400) }],
    [
      "too many texts",
      { about: "scheduling", causes: Array.from({ length: 80 }, () => ({ cause: "other", resource: "cpu" })) },
    ],
  ])("are not read with %s", (_, details) => {
    expect(isRecordedDetails(details)).toBe(false);
  });
});
