import { describe, expect, it } from "vitest";
import { VirtualTime } from "../../../bench/fleet/virtual-time.ts";

function callsOf(time: VirtualTime): number {
  let steps = 0;
  while (time.step()) steps += 1;
  return steps;
}

describe("virtual time", () => {
  it("makes the planned calls in order of their times", () => {
    const time = new VirtualTime(1_000);
    const seen: number[] = [];
    for (const at of [30, 10, 20, 10, 5, 40]) time.at(at, () => seen.push(time.elapsed()));
    callsOf(time);
    expect(seen).toEqual([5, 10, 10, 20, 30, 40]);
    expect(time.now()).toBe(1_040);
  });

  it("keeps the order of calls at one time", () => {
    const time = new VirtualTime(0);
    const seen: string[] = [];
    for (const name of ["a", "b", "c"]) time.at(7, () => seen.push(name));
    callsOf(time);
    expect(seen).toEqual(["a", "b", "c"]);
  });

  it("shows whole milliseconds, as a real clock", () => {
    const time = new VirtualTime(1_000);
    time.after(1.75, () => {});
    callsOf(time);
    expect(time.now()).toBe(1_001);
  });

  it("omits a cancelled call", () => {
    const time = new VirtualTime(0);
    const seen: string[] = [];
    const cancel = time.after(1, () => seen.push("cancelled"));
    time.after(2, () => seen.push("made"));
    cancel();
    callsOf(time);
    expect(seen).toEqual(["made"]);
  });
});
