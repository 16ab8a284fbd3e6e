import { describe, expect, it } from "vitest";
import { EARLIEST, HOUR_MILLIS as HOUR, LATEST } from "../../../src/job/model/instant.ts";
import { wholeHours } from "../../../src/query/summary/whole-hours.ts";

describe("the whole hours between two instants", () => {
  it.each([
    ["exclude an hour that begins at the exclusive bound", 0, 2 * HOUR, { from: HOUR, to: 2 * HOUR }],
    ["begin at the bound where it is just before an hour", -1, 2 * HOUR, { from: 0, to: 2 * HOUR }],
    ["leave out the hour in which they end", -1, 2 * HOUR + 5, { from: 0, to: 2 * HOUR }],
    ["are none within one hour", 5, HOUR - 5, { from: HOUR, to: 0 }],
  ])("%s", (_, after, before, expected) => {
    expect(wholeHours(after, before)).toEqual(expected);
  });

  it("are all without bounds", () => {
    expect(wholeHours(undefined, undefined).from).toBe(EARLIEST);
    expect(wholeHours(undefined, undefined).to).toBeGreaterThan(LATEST - HOUR);
  });
});
