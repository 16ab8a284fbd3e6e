import { describe, expect, it } from "vitest";
import { RepeatedEvents } from "../../../src/kubernetes/watch/repeated-events.ts";

/** An Event that occurred so many times, all at once. */
const of = (count: number) => ({ count, lastAt: 0 });

describe("an Event whose count rises", () => {
  it("passes when the count has doubled", () => {
    const events = new RepeatedEvents();
    const passed = Array.from({ length: 1_000 }, (_, index) => index + 1).filter((count) =>
      events.passes("a", of(count)),
    );
    expect(passed).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  });

  it("passes a minute after it last passed", () => {
    const events = new RepeatedEvents();
    const passed = [0, 30, 59, 60, 90, 120].map((second, index) =>
      events.passes("a", { count: 100 + index, lastAt: second * 1_000 }),
    );
    expect(passed).toEqual([true, false, false, true, false, true]);
  });

  it("does not pass again when a new list repeats it", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", of(7)), events.passes("a", of(7)), events.passes("a", of(8))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("does not affect other Events", () => {
    const events = new RepeatedEvents();
    expect([events.passes("a", of(1)), events.passes("b", of(1))]).toEqual([true, true]);
  });

  it("passes again once it is forgotten", () => {
    const events = new RepeatedEvents(2);
    for (const uid of ["a", "b", "c"]) events.passes(uid, of(1));
    expect([events.passes("c", of(1)), events.passes("a", of(1))]).toEqual([false, true]);
  });
});
