import { array, assert, integer, nat, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addAmounts,
  amountKey,
  amountsText,
  changesBetween,
  familyOf,
  parseAmounts,
  partOf,
  remaining,
  seriesId,
  seriesOf,
} from "../../src/sqlite/metric-amounts.ts";

const hash = (byte: number) => new Uint8Array(32).fill(byte);
const key = (family: number, part = 0) => amountKey(seriesId(family, hash(7)), part);
const amounts = array(tuple(integer({ min: 1, max: 200 }), nat(255), nat(20), integer())).map((list) =>
  addAmounts(list.map(([family, byte, part, amount]) => [amountKey(seriesId(family, hash(byte)), part), amount])),
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
  it("contains its family and is a safe integer", () => {
    const id = seriesId(200, hash(255));
    expect(familyOf(id)).toBe(200);
    expect(Number.isSafeInteger(id)).toBe(true);
  });

  it("is read back from the key of an amount", () => {
    expect(seriesOf(key(3, 14))).toBe(seriesId(3, hash(7)));
    expect(partOf(key(3, 14))).toBe(14);
  });
});

describe("amounts", () => {
  it("under one key are added", () => {
    const sum = addAmounts([
      [key(1), 2],
      [key(1), 3],
    ]);
    expect([...sum]).toEqual([[key(1), 5]]);
  });

  it("remain in the families that are kept", () => {
    const before = new Map([
      [key(1), 1],
      [key(7), 1],
    ]);
    expect([...remaining(before, [7])]).toEqual([[key(7), 1]]);
    expect(remaining(before, []).size).toBe(0);
  });

  it("that do not differ are no change", () => {
    const before = new Map([
      [key(1), 1],
      [key(2), 1],
    ]);
    const after = new Map([
      [key(2), 1],
      [key(3), 4],
    ]);
    expect([...changesBetween(before, after)]).toEqual([
      [key(1), { before: 1, after: 0 }],
      [key(3), { before: 0, after: 4 }],
    ]);
  });
});
