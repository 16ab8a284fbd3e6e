import { describe, expect, it } from "vitest";
import { isState, RUN_STATES, runStateOf } from "../../../src/job/model/states.ts";

describe("a state", () => {
  it.each(["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"])("may be %s", (text) => {
    expect(isState(text)).toBe(true);
  });

  it.each(["", "failed", "constructor"])("is never %j", (text) => {
    expect(isState(text)).toBe(false);
  });
});

describe("a state of runs", () => {
  it.each(RUN_STATES)("%s is read in any case", (state) => {
    expect([runStateOf(state.toUpperCase()), runStateOf(state.toLowerCase())]).toEqual([state, state]);
  });

  it("is no other word", () => {
    expect(runStateOf("Happy")).toBeUndefined();
  });
});
