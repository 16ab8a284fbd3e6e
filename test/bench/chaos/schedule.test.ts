import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { FAULT_KINDS, scheduleOf } from "../../../bench/chaos/schedule.ts";
import { DEPLOYED, ONE_PROCESS } from "../../../bench/chaos/targets.ts";

const seeds = integer({ min: 0, max: 2 ** 31 });
const targets = constantFrom(ONE_PROCESS, DEPLOYED);

describe("the schedule of faults", () => {
  it("is the same for the same seed", () => {
    assert(
      property(seeds, targets, (seed, targets) => {
        const options = { seed, minutes: 4, targets };
        expect(scheduleOf(options)).toEqual(scheduleOf(options));
      }),
    );
  });

  it("differs between seeds", () => {
    const [one, other] = [1, 2].map((seed) => scheduleOf({ seed, minutes: 4, targets: ONE_PROCESS }));
    expect(one).not.toEqual(other);
  });

  it("has every kind of fault in four minutes", () => {
    assert(
      property(seeds, targets, (seed, targets) => {
        const kinds = new Set(scheduleOf({ seed, minutes: 4, targets }).map(({ kind }) => kind));
        expect([...FAULT_KINDS].filter((kind) => !kinds.has(kind))).toEqual([]);
      }),
    );
  });

  it("hits only parts that the path has, within the run", () => {
    assert(
      property(seeds, targets, (seed, targets) => {
        for (const { kind, target, atMillis } of scheduleOf({ seed, minutes: 3, targets })) {
          expect(targets[kind]).toContain(target);
          expect(atMillis).toBeLessThan(180_000);
        }
      }),
    );
  });

  it("never has two wrong clocks at once", () => {
    assert(
      property(seeds, targets, (seed, targets) => {
        const jumps = scheduleOf({ seed, minutes: 20, targets }).filter(({ byMillis }) => byMillis !== undefined);
        for (const [n, { atMillis }] of jumps.entries()) {
          const before = jumps[n - 1];
          if (before !== undefined) expect(atMillis).toBeGreaterThanOrEqual(before.atMillis + before.forMillis);
        }
      }),
    );
  });
});
