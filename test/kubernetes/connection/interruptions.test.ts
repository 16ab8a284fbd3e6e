import { describe, expect, it } from "vitest";
import { Interruptions } from "../../../src/kubernetes/connection/interruptions.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

function started() {
  const clock = new ManualClock();
  const interruptions = new Interruptions(clock);
  interruptions.start();
  return { clock, interruptions };
}

describe("a process", () => {
  it("was never interrupted while its timers fire in time", async () => {
    const { clock, interruptions } = started();
    await clock.advance(10_000);
    expect(interruptions.resumedAt).toBe(-Infinity);
  });

  it("is not interrupted by work that delays a timer a little", async () => {
    const { clock, interruptions } = started();
    await clock.freeze(1_500);
    expect(interruptions.resumedAt).toBe(-Infinity);
  });

  it("resumed when a timer fired too late", async () => {
    const { clock, interruptions } = started();
    await clock.advance(3_000);
    await clock.freeze(15_000);
    await clock.advance(700);
    expect(interruptions.resumedAt).toBe(18_000);
  });

  it("has just resumed if the overdue timer has not fired yet", () => {
    const { clock, interruptions } = started();
    clock.stop(15_000);
    expect(interruptions.resumedAt).toBe(15_000);
  });

  it("is not observed any more after the end", async () => {
    const { clock, interruptions } = started();
    interruptions.stop();
    await clock.freeze(15_000);
    expect(interruptions.resumedAt).toBe(-Infinity);
    expect(clock.pending).toBe(0);
  });
});
