import { describe, expect, it } from "vitest";
import { RUN_STATES, runStateOf } from "../../../src/job/model/run-states.ts";

describe("a state of runs", () => {
  it.each(RUN_STATES)("%s is read in any case", (state) => {
    expect([runStateOf(state.toUpperCase()), runStateOf(state.toLowerCase())]).toEqual([state, state]);
  });

  it("is no other word", () => {
    expect(runStateOf("Happy")).toBeUndefined();
  });
});
