import { describe, expect, it } from "vitest";
import { byWhom } from "../../src/explain/attribution-text.ts";

describe("the text of an actor", () => {
  it.each([
    [{ actor: "alice", confidence: "certain" }, "by alice"],
    [{ actor: "pod-garbage-collector", confidence: "likely" }, "most likely by pod-garbage-collector"],
    [{ actor: "job-controller", confidence: "possible" }, "possibly by job-controller"],
    [{ actor: "unknown", confidence: "certain" }, "by an unknown actor"],
    [undefined, "by an unknown actor"],
  ] as const)("of %j is %j", (by, text) => {
    expect(byWhom(by)).toBe(text);
  });
});
