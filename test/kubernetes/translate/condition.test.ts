import { describe, expect, it } from "vitest";
import { latestTransition, readConditions } from "../../../src/kubernetes/translate/condition.ts";

describe("the conditions of a status", () => {
  it("keep their order and their fields", () => {
    const conditions = [
      { type: "Ready", status: "True", lastTransitionTime: "2026-11-22T12:00:00Z" },
      { type: "Complete", status: "False", reason: "R", message: "M" },
    ];
    expect(readConditions({ conditions })).toEqual([
      { type: "Ready", status: "True", lastTransitionAt: Date.UTC(2026, 10, 22, 12) },
      { type: "Complete", status: "False", reason: "R", message: "M" },
    ]);
  });

  it.each([[{ type: "Ready" }], [{ status: "True" }], ["text"], [null]])("leave out %j", (condition) => {
    expect(readConditions({ conditions: [condition] })).toEqual([]);
  });

  it("are none where the status has no list", () => {
    expect(readConditions({ conditions: { type: "Ready", status: "True" } })).toEqual([]);
  });

  it("have the latest of their transitions, or 0", () => {
    const times = ["2026-11-22T12:00:01Z", "2026-11-22T12:00:00Z", undefined];
    const raw = times.map((lastTransitionTime) => ({ type: "T", status: "True", lastTransitionTime }));
    const conditions = readConditions({ conditions: raw });
    expect(latestTransition(conditions)).toBe(Date.UTC(2026, 10, 22, 12, 0, 1));
    expect(latestTransition([])).toBe(0);
  });
});
