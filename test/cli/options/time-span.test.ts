import { describe, expect, it } from "vitest";
import { parseTimeSpan } from "../../../cli/options/time-span.ts";

describe("a time span on the command line", () => {
  it.each([
    ["0", 0],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1_500],
    ["250ms", 250],
    ["2d", 172_800_000],
  ])("%s is %i ms", (text, milliseconds) => {
    expect(parseTimeSpan(text)).toBe(milliseconds);
  });

  it.each(["", "5", "five", "5x", "-5s", "5 s"])("%j is rejected with an example", (text) => {
    expect(() => parseTimeSpan(text)).toThrow(/90s, 5m or 1h30m/);
  });
});
