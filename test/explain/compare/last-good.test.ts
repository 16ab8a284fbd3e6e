import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EarlierRun, lastGoodOf } from "../../../src/explain/compare/last-good.ts";

function run(createdAt: number, more: Partial<EarlierRun> = {}): EarlierRun {
  return { uid: `run-${createdAt}`, createdAt, isComplete: true, isAcrossGap: false, ...more };
}

describe("the last good run", () => {
  it.each<readonly [string, readonly EarlierRun[], string]>([
    ["is the newest earlier one", [run(1), run(3), run(2)], "run-3"],
    ["is not created later, nor at the same time", [run(1), run(9), run(10)], "run-1"],
    ["did not fail", [run(1), run(2, { isComplete: false })], "run-1"],
    ["was observed in full", [run(1), run(2, { isAcrossGap: true })], "run-1"],
    ["does not exist without an earlier one", [run(9)], "noEarlierRun"],
    ["does not exist if none completed", [run(1, { isComplete: false })], "noneCompleted"],
    [
      "does not exist if all lie in gaps",
      [run(1, { isAcrossGap: true }), run(2, { isComplete: false })],
      "allAcrossGaps",
    ],
  ])("%s", (_, runs, found) => {
    const last = lastGoodOf(runs, 9);
    expect(last.outcome === "found" ? last.run.uid : last.reason).toBe(found);
  });

  it("does not depend on the order of the runs", () => {
    const runs = fc.uniqueArray(
      fc.record({ uid: fc.string(), createdAt: fc.nat(5), isComplete: fc.boolean(), isAcrossGap: fc.boolean() }),
      { selector: ({ uid }) => uid },
    );
    fc.assert(
      fc.property(runs, (all) => {
        expect(lastGoodOf(all.toReversed(), 4)).toEqual(lastGoodOf(all, 4));
      }),
    );
  });
});
