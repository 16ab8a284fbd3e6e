import { expect, it } from "vitest";
import { parseDuration } from "../../../src/notify/rules/duration-setting.ts";

it.each<[string, number | undefined]>([
  ["0s", 0],
  ["30s", 30_000],
  ["2m", 120_000],
  ["1h30m", 5_400_000],
  ["1d", 86_400_000],
  ["", undefined],
  ["2", undefined],
  ["2 m", undefined],
  ["-2m", undefined],
  ["2w", undefined],
  ["1.5h", undefined],
])("the duration %j has %j milliseconds", (text, millis) => {
  expect(parseDuration(text)).toBe(millis);
});
