import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairTurns, type Turn } from "../../../src/ports/concurrency/fair-turns.ts";

/** Turns whose clock the test sets. */
function turnsAt() {
  let now = 0;
  return { turns: new FairTurns(() => now), pass: (millis: number) => (now += millis) };
}

/** Work of `slices` slices, each longer than a turn. */
async function work(turn: Turn, { slices, pass, log, name }: Work): Promise<void> {
  for (let slice = 0; slice < slices; slice += 1) {
    await turn();
    pass(10);
    log.push(name);
  }
}
interface Work {
  readonly slices: number;
  readonly pass: (millis: number) => void;
  readonly log: string[];
  readonly name: string;
}

describe("fair turns", () => {
  it("let work continue while its slice lasts", () => {
    const { turns, pass } = turnsAt();
    const turn = turns.of("a");
    expect(turn()).toBeUndefined();
    pass(7);
    expect(turn()).toBeUndefined();
    pass(1);
    expect(turn()).toBeInstanceOf(Promise);
  });

  it("let two owners alternate, however much work one of them has", async () => {
    const { turns, pass } = turnsAt();
    const log: string[] = [];
    const attacks = Array.from({ length: 50 }, () => {
      pass(1);
      return work(turns.of("a"), { slices: 3, pass, log, name: "a" });
    });
    await work(turns.of("b"), { slices: 5, pass, log, name: "b" });
    expect(log.filter((name) => name === "a").length).toBeLessThanOrEqual(14);
    await Promise.all(attacks);
  });

  it("prefer the newest work of one owner", async () => {
    const { turns, pass } = turnsAt();
    const log: string[] = [];
    const long = Array.from({ length: 20 }, () => work(turns.of("a"), { slices: 5, pass, log, name: "long" }));
    for (let round = 0; round < 30; round += 1) await setImmediate();
    const before = log.length;
    await work(turns.of("a"), { slices: 1, pass, log, name: "short" });
    expect(log.length - before).toBeLessThanOrEqual(3);
    await Promise.all(long);
  });

  it("read new requests between two slices", async () => {
    const { turns, pass } = turnsAt();
    const log: string[] = [];
    const long = work(turns.of("a"), { slices: 10, pass, log, name: "slice" });
    await setImmediate();
    log.push("request");
    await long;
    expect(log.indexOf("request")).toBeLessThan(5);
  });
});
