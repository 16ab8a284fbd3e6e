import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { halve, idHash, idMark, splitPages } from "../../../src/projection/pages/page-split.ts";

const items = fc
  .uniqueArray(fc.uuid(), { minLength: 2, maxLength: 200 })
  .map((ids) => ids.sort().map((id) => ({ sortKey: { at: 0, id } })));
const limits = { threshold: 2 ** 32 / 8, maxItems: 16 };

describe("the pages of a set of items", () => {
  it("contain each item once, in order, and at most the maximum", () => {
    fc.assert(
      fc.property(items, (all) => {
        const pages = splitPages(all, limits);
        expect(pages.flat()).toEqual(all);
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limits.maxItems);
        expect(Math.min(...pages.map((page) => page.length))).toBeGreaterThan(0);
      }),
    );
  });

  it("end at each item whose hash is below the threshold", () => {
    fc.assert(
      fc.property(items, (all) => {
        const lasts = new Set(splitPages(all, limits).map((page) => page.at(-1)));
        const ends = all.filter(({ sortKey }) => idHash(sortKey.id) < limits.threshold);
        expect(ends.every((item) => lasts.has(item))).toBe(true);
      }),
    );
  });

  it("that are too large are cut into two parts that are not empty", () => {
    fc.assert(
      fc.property(items, (all) => {
        const [first, second] = halve(all);
        expect([...first, ...second]).toEqual(all);
        expect(Math.min(first.length, second.length)).toBeGreaterThan(0);
      }),
    );
  });
});

describe("the hashes of an item", () => {
  it.each([
    ["", 2_872_998_923, 2_263_076_582],
    ["render-a", 1_820_731_142, 2_467_014_229],
  ])("of id %j are the ones that stored pages depend on", (id, hash, mark) => {
    expect([idHash(id), idMark(id)]).toEqual([hash, mark]);
  });
});
