import { describe, expect, it } from "vitest";
import { fromIntervals, type Interval } from "../../src/job/accounting/index-set.ts";
import { firstPendingIndexes } from "./pending-indexes.ts";
import { type CasePod, functionCases, indexOf } from "../support/story/conformance-case.ts";

describe("the indexes that are left to do", () => {
  it.each(
    functionCases<
      {
        readonly count: number;
        readonly completions: number;
        readonly activePods: readonly CasePod[];
        readonly succeededIntervals: readonly Interval[];
        readonly failedIntervals: readonly Interval[] | null;
      },
      { readonly pendingIndexes: readonly number[] }
    >("TestFirstPendingIndexes"),
  )("leave others to do: %s", (_, { input, expected }) => {
    const active = input.activePods.flatMap((pod): Interval[] => {
      const index = indexOf(pod);
      return index === undefined ? [] : [[index, index]];
    });
    const taken = fromIntervals([...active, ...input.succeededIntervals, ...(input.failedIntervals ?? [])]);
    expect(firstPendingIndexes(input.count, input.completions, taken)).toEqual(expected.pendingIndexes);
  });
});
