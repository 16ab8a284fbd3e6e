import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../src/job/text/nearest-names.ts";

describe("the nearest names of an unknown name", () => {
  it.each([
    ["reprot", ["report", "import"], ["report"]],
    ["report", ["report-28391", "backup"], ["report-28391"]],
    ["Complet", ["Complete", "Failed"], ["Complete"]],
    ["zzz", ["report"], []],
    ["job", ["cog", "cat"], ["cog"]],
    ["a", ["aa", "ab", "ac", "ad", "ae"], ["aa", "ab", "ac"]],
  ])("of %s among %j are %j", (name, names, near) => {
    expect(nearestNames(name, names)).toEqual(near);
  });
});
