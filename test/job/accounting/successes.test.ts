import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOrder, decodeResourceVersion } from "../../../src/job/model/order.ts";
import { Successes } from "../../../src/job/accounting/successes.ts";

interface Success {
  readonly epoch: number;
  readonly number: number;
  readonly endedAt: number;
  readonly piece: number | undefined;
}

const someSuccesses: fc.Arbitrary<readonly Success[]> = fc.boolean().chain((isIndexed) =>
  fc.uniqueArray(
    fc.record({
      epoch: fc.nat(1),
      number: fc.integer({ min: 1, max: 99 }),
      endedAt: fc.nat(1_000),
      piece: isIndexed ? fc.nat(5) : fc.constant(undefined),
    }),
    { selector: ({ epoch, number }) => `${epoch}/${number}` },
  ),
);

function orderOf({ epoch, number }: Success) {
  const resourceVersion = decodeResourceVersion(String(number));
  if (resourceVersion === undefined) throw new Error("A resourceVersion is a positive integer.");
  return { epoch, resourceVersion };
}

function completingOf(successes: readonly Success[], completions: number) {
  const told = new Successes();
  for (const success of successes) told.add(orderOf(success), success.endedAt, success.piece);
  return told.completing(completions);
}

describe("the success that completed a Job", () => {
  it("is the last one needed by order, counts each index once, and is dated by the last end", () => {
    fc.assert(
      fc.property(someSuccesses, fc.integer({ min: 1, max: 8 }), (successes, completions) => {
        const sorted = successes.toSorted((a, b) => compareOrder(orderOf(a), orderOf(b)));
        const counted = sorted.filter(
          ({ piece }, place) => piece === undefined || sorted.findIndex((other) => other.piece === piece) === place,
        );
        const first = counted.slice(0, completions);
        const last = first.length < completions ? undefined : first.at(-1);
        const expected = last && { order: orderOf(last), at: Math.max(...first.map(({ endedAt }) => endedAt)) };
        expect(completingOf(successes, completions)).toEqual(expected);
        expect(completingOf(successes.toReversed(), completions)).toEqual(expected);
      }),
    );
  });
});
