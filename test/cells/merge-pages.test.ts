import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CellRegistry } from "../../src/cells/cell-registry.ts";
import { mergePages } from "../../src/cells/merge-pages.ts";

interface Item {
  readonly cluster: string;
  readonly at: number;
  readonly from?: string;
}
const REGISTRY: CellRegistry = {
  cells: [{ name: "eu" }, { name: "us" }],
  clusters: { moved: { cell: "us", previous: [{ cell: "eu", until: 1 }] } },
};
const ORDER = { compare: (a: Item, b: Item) => a.at - b.at, identity: ({ cluster, at }: Item) => `${cluster} ${at}` };

function page(name: string, items: readonly Item[], nextCursor?: string) {
  const cursors = items.map(({ at }) => `${name}-${at}`);
  return { cell: { name }, body: { items, cursors, ...(nextCursor !== undefined && { nextCursor }) } };
}

describe("pages of two cells", () => {
  it("are merged in order; each cell continues after its last item that was used", () => {
    const pages = [page("eu", [at(1), at(4)]), page("us", [at(2), at(3)], "us-next")];
    expect(mergePages(pages, { ...ORDER, registry: REGISTRY, limit: 2 })).toEqual({
      items: [at(1), at(2)],
      positions: new Map([
        ["eu", { at: "cursor", cursor: "eu-1" }],
        ["us", { at: "cursor", cursor: "us-2" }],
      ]),
    });
  });

  it("end where the page of a cell ends that has more", () => {
    const merged = mergePages([page("eu", [at(1), at(9)]), page("us", [at(2)], "us-next")], {
      ...ORDER,
      registry: REGISTRY,
      limit: 10,
    });
    expect(merged.items).toEqual([at(1), at(2)]);
    expect(merged.positions.get("us")).toEqual({ at: "cursor", cursor: "us-next" });
    expect(merged.positions.get("eu")).toEqual({ at: "cursor", cursor: "eu-1" });
  });

  it("leave the position of a cell of which nothing was used", () => {
    const merged = mergePages([page("eu", [at(1)]), page("us", [at(2)])], { ...ORDER, registry: REGISTRY, limit: 1 });
    expect(merged.positions).toEqual(new Map([["eu", { at: "end" }]]));
  });

  it("have an object of a cluster that moved once, as its current cell has it", () => {
    const old = { cluster: "moved", at: 1, from: "eu" };
    const now = { cluster: "moved", at: 1, from: "us" };
    for (const limit of [1, 9]) {
      const merged = mergePages([page("eu", [old]), page("us", [now])], { ...ORDER, registry: REGISTRY, limit });
      expect(merged.items).toEqual([now]);
      expect(merged.positions.get("eu")).toEqual({ at: "end" });
    }
  });

  it("have every item once and in order, whatever is in which cell", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(50)),
        fc.func(fc.boolean()),
        fc.integer({ min: 1, max: 60 }),
        (all, isEu, limit) => {
          const sorted = [...all].sort((a, b) => a - b);
          const [eu, us] = [sorted.filter((n) => isEu(n)), sorted.filter((n) => !isEu(n))];
          const merged = mergePages([page("eu", eu.map(at)), page("us", us.map(at))], {
            ...ORDER,
            registry: REGISTRY,
            limit,
          });
          expect(merged.items.map((item) => item.at)).toEqual(sorted.slice(0, limit));
        },
      ),
    );
  });
});

function at(instant: number): Item {
  return { cluster: "c", at: instant };
}
