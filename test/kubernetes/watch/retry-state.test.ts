import { describe, expect, it } from "vitest";
import { ResponseProblem } from "../../../src/kubernetes/connection/response-problem.ts";
import { RetryState } from "../../../src/kubernetes/watch/retry-state.ts";

const error = new Error("It broke.");
const open = () => new RetryState(() => 0);

describe("the retry state of a stream", () => {
  it("waits longer after each failure, until a request succeeds", () => {
    const retryState = open();
    expect([1, 2, 3].map(() => retryState.waitAfter(error))).toEqual([500, 1000, 2000]);
    retryState.succeed();
    expect(retryState.waitAfter(error)).toBe(500);
  });

  it("waits at least for the server's Retry-After", () => {
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 7000))).toBe(7000);
    expect(open().waitAfter(new ResponseProblem("Busy.", 429, 10))).toBe(500);
  });

  it("gives up a resourceVersion after three broken watches in a row", () => {
    const retryState = open();
    expect([1, 2, 3].map(() => retryState.countBrokenWatch())).toEqual([false, false, true]);
    retryState.resetBrokenWatches();
    expect(retryState.countBrokenWatch()).toBe(false);
    retryState.succeed();
    expect([1, 2].map(() => retryState.countBrokenWatch())).toEqual([false, false]);
  });

  it("waits longer after each resourceVersion that expired, although lists succeed, until the stream moves", () => {
    const retryState = open();
    const expire = () => (retryState.countExpired() ? retryState.waitAfter(error) : 0);
    const waits = [1, 2, 3, 4].map(() => {
      const wait = expire();
      retryState.succeed();
      return wait;
    });
    expect(waits).toEqual([0, 500, 1000, 2000]);
    retryState.move();
    expect(expire()).toBe(0);
  });

  it("gives up streaming lists after three doubts, or one certain refusal", () => {
    const retryState = open();
    for (const _ of [1, 2]) retryState.doubtStreamingLists("some");
    retryState.doubtStreamingLists("none");
    expect(retryState.usesStreamingLists).toBe(true);
    retryState.doubtStreamingLists("some");
    expect(retryState.usesStreamingLists).toBe(false);
    const certain = open();
    certain.doubtStreamingLists("certain");
    expect(certain.usesStreamingLists).toBe(false);
  });
});
