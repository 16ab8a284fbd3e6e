import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePlaces, pageOfItems, type Place, startOfPage } from "../../../src/query/list/page.ts";

const question = "numbers";
const placeOf = (item: number): Place => [item];

function allPages(items: readonly number[], limit: number): readonly (readonly number[])[] {
  const pages: (readonly number[])[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOfItems({ items, placeOf, question }, { limit, cursor });
    if (page.outcome !== "listed") throw new Error(page.problem);
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe("the pages of a list", () => {
  it("contain each item once, in order", () => {
    const items = fc.uniqueArray(fc.integer()).map((numbers) => numbers.sort((a, b) => a - b));
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 5 }), (numbers, limit) => {
        expect(allPages(numbers, limit).flat()).toEqual(numbers);
      }),
    );
  });

  it.each([
    [
      2,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [3, [[1, 2, 3], [4]]],
    [4, [[1, 2, 3, 4]]],
    [5, [[1, 2, 3, 4]]],
  ])("end without an empty page if a page has %i items", (limit, pages) => {
    expect(allPages([1, 2, 3, 4], limit)).toEqual(pages);
  });

  it("continue after an item that was removed meanwhile", () => {
    const first = pageOfItems({ items: [1, 2, 3], placeOf, question }, { limit: 2 });
    if (first.outcome !== "listed") throw new Error(first.problem);
    const rest = pageOfItems({ items: [1, 3], placeOf, question }, { limit: 2, cursor: first.nextCursor });
    expect(rest).toMatchObject({ outcome: "listed", items: [3] });
  });

  it("are refused with a cursor of another list", () => {
    const { nextCursor } = {
      nextCursor: undefined,
      ...pageOfItems({ items: [1, 2], placeOf, question }, { limit: 1 }),
    };
    expect(startOfPage("letters", nextCursor)).toMatchObject({ outcome: "badCursor" });
    expect(pageOfItems({ items: [1], placeOf, question }, { limit: 1, cursor: "?" })).toMatchObject({
      outcome: "badCursor",
    });
  });
});

describe("two places of a list", () => {
  it.each<[Place, Place, number]>([
    [[1, "a"], [1, "a"], 0],
    [[1, "a"], [1, "b"], -1],
    [[2, "a"], [1, "b"], 1],
    [[1], [1, "a"], -1],
    [[1, "a"], [1], 1],
  ])("%j and %j compare field by field", (a, b, sign) => {
    expect(Math.sign(comparePlaces(a, b))).toBe(sign);
  });
});
