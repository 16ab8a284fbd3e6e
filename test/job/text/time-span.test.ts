import { describe, expect, it } from "vitest";
import { parseTimeSpan } from "../../../src/job/text/time-span.ts";

describe("a time span", () => {
  it.each([
    ["0s", 0],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1_500],
    ["250ms", 250],
    ["2d", 172_800_000],
  ])("%s is %i ms", (text, milliseconds) => {
    expect(parseTimeSpan(text)).toBe(milliseconds);
  });

  it.each(["", "0", "5", "five", "5x", "-5s", "5 s", "s", "1.s", "2w", "9999999999d"])("%j is none", (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });
});
