import { describe, expect, it } from "vitest";
import { pointAt } from "../../../src/query/list/selector-text.ts";

describe("the place where a selector stopped making sense", () => {
  it("is marked in the selector", () => {
    expect(pointAt("a in (b", { at: 7, problem: "expected )" })).toBe(
      'expected ) at character 8 of "a in (b": "a in (b>>>"',
    );
  });

  it("is shown with what is around it where the selector is long", () => {
    const shown = pointAt(`${"a".repeat(5_000)}!${"b".repeat(5_000)}`, { at: 5_000, problem: "expected a comma" });
    expect(shown).toContain(`"...${"a".repeat(80)}>>>!${"b".repeat(79)}..."`);
    expect(shown.length).toBeLessThan(500);
  });
});
