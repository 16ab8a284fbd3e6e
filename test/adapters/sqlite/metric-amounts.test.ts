import { array, assert, integer, nat, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amountKey,
  amountsText,
  parseAmounts,
  partOf,
  seriesId,
  seriesOf,
} from "../../../src/adapters/sqlite/metric-amounts.ts";

const hash = (byte: number) => new Uint8Array(32).fill(byte);
const key = (family: number, part = 0) => amountKey(seriesId(family, hash(7)), part);
const amounts = array(tuple(integer({ min: 1, max: 200 }), nat(255), nat(20), integer())).map(
  (list) =>
    new Map(list.map(([family, byte, part, amount]) => [amountKey(seriesId(family, hash(byte)), part), amount])),
);

describe("the stored text of amounts", () => {
  it("is read back as the same amounts", () => {
    assert(
      property(amounts, (some) => {
        expect(parseAmounts(amountsText(some))).toEqual(some);
      }),
    );
  });

  it("does not depend on their order", () => {
    const [a, b] = [
      [key(1), 1],
      [key(2), 2],
    ] as const;
    expect(amountsText(new Map([a, b]))).toBe(amountsText(new Map([b, a])));
  });
});

describe("the id of a series", () => {
  it("is a safe integer", () => {
    expect(Number.isSafeInteger(seriesId(200, hash(255)))).toBe(true);
  });

  it("is read back from the key of an amount", () => {
    expect(seriesOf(key(3, 14))).toBe(seriesId(3, hash(7)));
    expect(partOf(key(3, 14))).toBe(14);
  });
});
