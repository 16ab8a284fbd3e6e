import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PAST_RUNS, type PastRun, type PastRuns, withPastRun } from "../../../src/parents/series/past-run.ts";
import { seriesRecord } from "../../../src/projection/series/series-record.ts";

/** Runs of different lengths, some of which were suspended for long. */
const pastRun = fc
  .record({
    id: fc.nat(0xffff_ffff),
    end: fc.integer({ min: 0x6000_0000, max: 0xffff_ffff }),
    whole: fc.nat(1_000_000),
    suspended: fc.oneof(fc.constant(0), fc.nat(3_000_000)),
    template: fc.nat(0xff_ffff),
  })
  .map(({ id, end, whole, suspended, template }): PastRun => {
    const endedAt = end * 1000;
    return { id, createdAt: endedAt - (whole + suspended) * 1000, endedAt, millis: whole * 1000, template };
  });
const someRuns = fc.uniqueArray(pastRun, { selector: ({ id }) => id, maxLength: 150, size: "max" });
const inAnyOrder = someRuns.chain((runs) =>
  fc.tuple(fc.constant(runs), fc.shuffledSubarray([...runs, ...runs], { minLength: runs.length * 2 }), fc.nat(300)),
);

const joined = (runs: readonly PastRun[], known: PastRuns = []) => runs.reduce(withPastRun, known);
const stored = (value: string) => seriesRecord.decode({ key: "east#team#0", value });

describe("the record of a series", () => {
  it("has the newest runs in at most 2 kB", () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        const value = seriesRecord.encode(joined(runs));
        expect(value.length).toBeLessThan(2_000);
        const newest = runs.toSorted((a, b) => a.endedAt - b.endedAt || a.id - b.id).slice(-MAX_PAST_RUNS);
        expect(stored(value)).toEqual(newest);
      }),
    );
  });

  it("is the same in whatever order and in however many writes runs were added", () => {
    fc.assert(
      fc.property(inAnyOrder, ([runs, disordered, cut]) => {
        const first = seriesRecord.encode(joined(disordered.slice(0, cut)));
        const second = seriesRecord.encode(joined(disordered.slice(cut), stored(first)));
        expect(second).toBe(seriesRecord.encode(joined(runs)));
      }),
    );
  });

  it.each([
    ["is no JSON", "{"],
    ["lacks its end", JSON.stringify({ runs: Buffer.of(1, 0, 0).toString("base64") })],
    ["is of a later release", JSON.stringify({ runs: Buffer.of(2).toString("base64") })],
  ])("is invalid if it %s", (_, value) => {
    expect(() => stored(value)).toThrow(/Invalid record series "east#team#0"/);
  });
});
