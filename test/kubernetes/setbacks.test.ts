import { describe, expect, it } from "vitest";
import { ResponseProblem } from "../../src/kubernetes/response-problem.ts";
import { Setbacks } from "../../src/kubernetes/setbacks.ts";

const error = new Error("It broke.");
const open = () => new Setbacks(() => 0);

describe("setbacks in a row", () => {
  it("wait longer and longer, until the server answers as it should", () => {
    const setbacks = open();
    expect([1, 2, 3].map(() => setbacks.waitAfter(error))).toEqual([500, 1000, 2000]);
    setbacks.overcome();
    expect(setbacks.waitAfter(error)).toBe(500);
  });

  it("wait at least as long as the server asks for", () => {
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 7000))).toBe(7000);
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 10))).toBe(500);
  });

  it("give up a place from which three watches broke, and not one from which it went on in between", () => {
    const setbacks = open();
    expect([1, 2, 3].map(() => setbacks.watchBroke())).toEqual([false, false, true]);
    setbacks.leavePlace();
    expect(setbacks.watchBroke()).toBe(false);
    setbacks.overcome();
    expect([1, 2].map(() => setbacks.watchBroke())).toEqual([false, false]);
  });

  it("give up streaming lists after three doubts, or one that is certain", () => {
    const setbacks = open();
    for (const _ of [1, 2]) setbacks.doubtStreams("some");
    setbacks.doubtStreams("none");
    expect(setbacks.streamsLists).toBe(true);
    setbacks.doubtStreams("some");
    expect(setbacks.streamsLists).toBe(false);
    const certain = open();
    certain.doubtStreams("certain");
    expect(certain.streamsLists).toBe(false);
  });
});
