import { describe, expect, it } from "vitest";
import { readSpan } from "../../../cli/options/read-span.ts";

describe("a time span on the command line", () => {
  it.each([
    ["0", 0],
    ["1h30m", 5_400_000],
  ])("%s is %i ms", (text, milliseconds) => {
    expect(readSpan(text)).toBe(milliseconds);
  });

  it.each(["", "5", "five", "-5s", "5 s"])("%j is rejected with an example", (text) => {
    expect(() => readSpan(text)).toThrow(/90s, 5m or 1h30m/);
  });
});
