import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CELLS } from "../../src/cells/cell-registry.ts";
import {
  type CellPosition,
  decodeFollowed,
  decodePositions,
  encodeFollowed,
  encodePositions,
  MAX_CELLS_CURSOR,
} from "../../src/cells/cells-cursor.ts";

const CELLS = Array.from({ length: MAX_CELLS }, (_, n) => ({ name: `cell-${n}-${"x".repeat(9)}` }));
const cursor = fc.stringMatching(/^[A-Za-z0-9_-]{1,1024}$/);
const position = fc.oneof(
  fc.constantFrom<CellPosition>({ at: "start" }, { at: "end" }, { at: "leftOut" }),
  cursor.map((text): CellPosition => ({ at: "cursor", cursor: text })),
);

describe("a cursor of a list over cells", () => {
  it("gives back every position, and has at most 8.7 KB", () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: MAX_CELLS, maxLength: MAX_CELLS }), (each) => {
        const positions = new Map(CELLS.map(({ name }, index) => [name, each[index] ?? { at: "start" as const }]));
        const encoded = encodePositions(CELLS, positions);
        expect(encoded.length).toBeLessThanOrEqual(MAX_CELLS_CURSOR);
        expect(MAX_CELLS_CURSOR).toBeLessThan(8_800);
        expect(decodePositions(CELLS, encoded)).toEqual({ outcome: "decoded", positions });
      }),
      { numRuns: 30 },
    );
  });

  it("begins everywhere without a cursor", () => {
    expect(decodePositions(CELLS, undefined)).toEqual({ outcome: "decoded", positions: new Map() });
  });

  it("is refused for other cells", () => {
    const encoded = encodePositions(CELLS, new Map());
    const others = [...CELLS.slice(1), { name: "other" }];
    expect(decodePositions(others, encoded)).toMatchObject({
      problem: expect.stringContaining("have changed") as unknown,
    });
    expect(decodePositions(CELLS.slice(1), encoded)).toMatchObject({ outcome: "refused" });
  });

  it.each(["", "L", "WzFd", "L0123456789abcdef", `${encodePositions(CELLS, new Map())}.`, "x".repeat(9_000)])(
    "is refused if it is %j",
    (text) => {
      expect(decodePositions(CELLS, text).outcome).toBe("refused");
    },
  );

  it("is refused with a cursor of a cell that is none", () => {
    const encoded = encodePositions(CELLS, new Map([["cell-0-xxxxxxxxx", { at: "cursor", cursor: "a b" }]]));
    expect(decodePositions(CELLS, encoded)).toMatchObject({
      problem: expect.stringContaining("Invalid cursor") as unknown,
    });
  });
});

describe("a cursor of changes over cells", () => {
  const options = { self: { name: "eu" }, since: 7 };

  it("gives back every position, and has at most 8.7 KB", () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(cursor, { maxLength: MAX_CELLS }), (since, each) => {
        const cursors = new Map(each.map((text, index) => [CELLS[index]?.name ?? "", text]));
        const encoded = encodeFollowed({ since, cursors });
        expect(encoded.length).toBeLessThanOrEqual(MAX_CELLS_CURSOR);
        expect(decodeFollowed(encoded, options)).toEqual({ outcome: "decoded", positions: { since, cursors } });
      }),
      { numRuns: 30 },
    );
  });

  it("of the stage alone is the position in its own cell", () => {
    const positions = { since: 7, cursors: new Map([["eu", "WzEsIng"]]) };
    expect(decodeFollowed("WzEsIng", options)).toEqual({ outcome: "decoded", positions });
    expect(decodeFollowed("WzEsIng", { self: undefined, since: 7 }).outcome).toBe("refused");
  });

  it.each(["C", "C!!", "CWzFd.a", `C${Buffer.from('["a"]').toString("base64url")}`, "C.a.b", "x".repeat(9_000)])(
    "is refused if it is %j",
    (text) => {
      expect(decodeFollowed(text, options).outcome).toBe("refused");
    },
  );
});
