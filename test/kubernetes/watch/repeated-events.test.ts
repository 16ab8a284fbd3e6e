import { describe, expect, it } from "vitest";
import { RepeatedEvents } from "../../../src/kubernetes/watch/repeated-events.ts";

describe("an Event whose count rises", () => {
  it("passes when the count has doubled", () => {
    const events = new RepeatedEvents();
    const passed = Array.from({ length: 1_000 }, (_, index) => index + 1).filter((count) => events.passes("a", count));
    expect(passed).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  });

  it("does not pass again when a new list repeats it", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", 7), events.passes("a", 7), events.passes("a", 8)]).toEqual([true, false, false]);
  });

  it("does not affect other Events", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", 1), events.passes("b", 1)]).toEqual([true, true]);
  });

  it("passes again once it is forgotten", () => {
    const events = new RepeatedEvents(2);
    for (const uid of ["a", "b", "c"]) events.passes(uid, 1);
    expect([events.passes("c", 1), events.passes("a", 1)]).toEqual([false, true]);
  });
});
