import { describe, expect, it } from "vitest";
import { IdleTimeout } from "../../../src/kubernetes/connection/idle-timeout.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

function open() {
  const clock = new ManualClock();
  const calls: number[] = [];
  const timeout = new IdleTimeout(clock, 30_000, () => calls.push(clock.elapsed()));
  return { clock, timeout, calls };
}

describe("the limit of a wait", () => {
  it("calls back once the wait has lasted for so long", async () => {
    const { clock, timeout, calls } = open();
    timeout.beginWait();
    await clock.advance(29_999);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual([30_000]);
  });

  it("does not count the time between two waits", async () => {
    const { clock, timeout, calls } = open();
    timeout.beginWait();
    await clock.advance(20_000);
    expect(timeout.endWait()).toBe(20_000);
    await clock.advance(20_000);
    timeout.beginWait();
    await clock.advance(20_000);
    expect(calls).toEqual([]);
  });

  it("leaves no timer behind when it is stopped", async () => {
    const { clock, timeout } = open();
    timeout.beginWait();
    timeout.stop();
    expect(clock.pending).toBe(0);
  });
});

describe("a wait during which the process was stopped", () => {
  it("has lasted for no time if data comes at once when the process runs again", async () => {
    const { clock, timeout } = open();
    timeout.beginWait();
    await clock.advance(5_000);
    clock.stop(15_000);
    expect(timeout.endWait()).toBe(0);
  });

  it("begins again when the process runs again", async () => {
    const { clock, timeout } = open();
    timeout.beginWait();
    await clock.freeze(15_000);
    await clock.advance(40);
    expect(timeout.endWait()).toBe(40);
  });

  it("is not mistaken for a wait of a busy process whose timer is a little late", async () => {
    const { clock, timeout } = open();
    timeout.beginWait();
    await clock.freeze(1_400);
    expect(timeout.endWait()).toBe(1_400);
  });
});
