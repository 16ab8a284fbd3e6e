import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bagOf } from "../../../src/job/accounting/index-bag.ts";
import { decodeIndexBag, encodeIndexBag } from "../../../src/projection/job-state/index-bag-bytes.ts";

describe("a bag of indexes", () => {
  it("is given back as it was written", () => {
    const indexes = fc.oneof(fc.array(fc.nat(300), { maxLength: 400 }), fc.array(fc.nat(2_147_483_647)));
    fc.assert(
      fc.property(indexes, (list) => {
        expect(decodeIndexBag(encodeIndexBag(bagOf(list)))).toEqual(bagOf(list));
      }),
      { numRuns: 500 },
    );
  });

  it("takes a few bytes without holes and 12.5 KB at most for 100,000 indexes", () => {
    const all = Array.from({ length: 100_000 }, (_, index) => index);
    expect(encodeIndexBag(bagOf(all)).length).toBeLessThan(16);
    const everySecond = all.filter((index) => index % 2 === 0);
    expect(encodeIndexBag(bagOf(everySecond)).length).toBeLessThan(12_600);
  });
});
