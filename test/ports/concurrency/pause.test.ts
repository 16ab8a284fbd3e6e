import { describe, expect, it } from "vitest";
import { pause } from "../../../src/ports/concurrency/pause.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

describe("a pause", () => {
  it("resolves to true when its time is over", async () => {
    const clock = new ManualClock();
    const outcomes: boolean[] = [];
    void pause(100, undefined, clock).then((outcome) => outcomes.push(outcome));
    await clock.advance(99);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual([true]);
  });

  it("resolves to false as soon as the signal aborts, and cancels its timer", async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const paused = pause(100, stop.signal, clock);
    stop.abort();
    expect(await paused).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it("resolves to false at once where the signal is aborted already", async () => {
    const clock = new ManualClock();
    expect(await pause(100, AbortSignal.abort(), clock)).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it("uses the system clock by default", async () => {
    expect(await pause(0)).toBe(true);
  });
});
