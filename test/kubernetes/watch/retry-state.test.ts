import { describe, expect, it } from "vitest";
import { ResponseProblem } from "../../../src/kubernetes/connection/response-problem.ts";
import { RetryState } from "../../../src/kubernetes/watch/retry-state.ts";

const error = new Error("It broke.");
const open = () => new RetryState(() => 0);

describe("retryState in a row", () => {
  it("wait longer and longer, until the server answers as it should", () => {
    const retryState = open();
    expect([1, 2, 3].map(() => retryState.waitAfter(error))).toEqual([500, 1000, 2000]);
    retryState.overcome();
    expect(retryState.waitAfter(error)).toBe(500);
  });

  it("wait at least as long as the server asks for", () => {
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 7000))).toBe(7000);
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 10))).toBe(500);
  });

  it("give up a place from which three watches broke, and not one from which it went on in between", () => {
    const retryState = open();
    expect([1, 2, 3].map(() => retryState.watchBroke())).toEqual([false, false, true]);
    retryState.leavePlace();
    expect(retryState.watchBroke()).toBe(false);
    retryState.overcome();
    expect([1, 2].map(() => retryState.watchBroke())).toEqual([false, false]);
  });

  it("give up streaming lists after three doubts, or one that is certain", () => {
    const retryState = open();
    for (const _ of [1, 2]) retryState.doubtStreams("some");
    retryState.doubtStreams("none");
    expect(retryState.streamsLists).toBe(true);
    retryState.doubtStreams("some");
    expect(retryState.streamsLists).toBe(false);
    const certain = open();
    certain.doubtStreams("certain");
    expect(certain.streamsLists).toBe(false);
  });
});
