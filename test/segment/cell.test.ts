import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CellReader,
  encodeMillis,
  encodeNumbers,
  encodeTexts,
  encodeUids,
  fromCharacter,
  type JsonColumn,
  readMillis,
  readNumbers,
  readTexts,
  readUids,
  toCharacter,
} from "../../src/segment/cell.ts";
import { Damaged } from "../../src/segment/damaged.ts";

function readAll<Cell>(reader: CellReader<Cell>, count: number): readonly Cell[] {
  return Array.from({ length: count }, () => reader.next());
}

const UIDS = ["1c0a8c70-6c5b-4a52-9a0e-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

describe("a column of numbers", () => {
  it.each<[string, readonly number[], JsonColumn]>([
    ["one number where all are equal", [7, 7, 7], 7],
    ["a text where they are small", [0, -1, 1, -2], "#$%&"],
    ["a text up to 24,999", [24_999, -24_999], `${toCharacter(49_998)}${toCharacter(49_997)}`],
    ["numbers from 25,000 on", [25_000, 0], [25_000, 0]],
    ["numbers down from -25,000", [0, -25_000], [0, -25_000]],
    ["nothing", [], ""],
  ])("is %s", (_, cells, column) => {
    expect(encodeNumbers(cells)).toEqual(column);
    expect(readAll(readNumbers(column), cells.length)).toEqual(cells);
  });

  it("is read as it was written", () => {
    const number = fc.oneof(fc.integer({ min: -30_000, max: 30_000 }), fc.maxSafeInteger());
    fc.assert(
      fc.property(fc.array(number), (cells) => {
        const written = JSON.parse(JSON.stringify(encodeNumbers(cells))) as unknown;
        const reader = readNumbers(written);
        expect(readAll(reader, cells.length)).toEqual(cells.map((cell) => (cell === 0 ? 0 : cell)));
        expect(reader.isAtEnd()).toBe(true);
      }),
    );
  });

  it.each<[string, unknown]>([
    ["a text", "#"],
    ["a list", [5]],
  ])("ends after its last cell: %s", (_, column) => {
    const reader = readNumbers(column);
    expect(reader.isAtEnd()).toBe(false);
    reader.next();
    expect(reader.isAtEnd()).toBe(true);
    expect(() => reader.next()).toThrow(Damaged);
  });

  it.each<[string, unknown]>([
    ["a fraction", 0.5],
    ["a list with a fraction", [0.5]],
    ["a list with a text", ["5"]],
    ["a number that is too large", 2 ** 53],
    ["a record", {}],
    ["nothing", null],
    ["a text with a character that none is", "\\"],
  ])("is damaged where it is %s", (_, column) => {
    expect(() => readNumbers(column).next()).toThrow(Damaged);
  });
});

describe("a character of a column", () => {
  it("stands for one number, from 0 to 49,999", () => {
    const characters = Array.from({ length: 50_000 }, (_, number) => toCharacter(number));
    expect(new Set(characters).size).toBe(50_000);
    expect(characters.every((character, number) => fromCharacter(character.charCodeAt(0)) === number)).toBe(true);
    expect(characters.slice(0, 2)).toEqual(["#", "$"]);
  });

  it("needs no escape in JSON, and is no control character", () => {
    const text = Array.from({ length: 50_000 }, (_, number) => toCharacter(number)).join("");
    expect(JSON.stringify(text)).toHaveLength(text.length + 2);
    expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });

  it.each([0, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xa0, toCharacter(49_999).charCodeAt(0) + 1])(
    "is none with the code %i",
    (code) => {
      expect(() => fromCharacter(code)).toThrow(Damaged);
    },
  );
});

describe("a column of durations", () => {
  it.each<[string, readonly number[], JsonColumn]>([
    ["in seconds where all are whole seconds", [0, 1_000, -2_000], "#%&"],
    ["in milliseconds where one is not", [1_000, 1], [1_000, 1].map(Number)],
  ])("is %s", (_, cells, column) => {
    const encoded = encodeMillis(cells);
    expect(typeof encoded === "object" && "ms" in encoded ? "ms" : encoded).toEqual(
      typeof column === "string" ? column : "ms",
    );
    expect(readAll(readMillis(encoded), cells.length)).toEqual(cells);
  });

  it("is at its end after its last cell", () => {
    const reader = readMillis("#");
    expect(reader.isAtEnd()).toBe(false);
    reader.next();
    expect(reader.isAtEnd()).toBe(true);
  });
});

describe("a column of texts", () => {
  it.each<[string, readonly string[], JsonColumn]>([
    ["joined by spaces", ["a", "b"], " a b"],
    ["joined by bars where a text has a space", ["a b", ""], "|a b|"],
    ["joined by tildes where texts have both", ["a b", "|"], "~a b~|"],
    ["joined by line ends where texts have all three", [" |~", "x"], "\n |~\nx"],
    ["a list where texts have all four", [" |~\n", "x"], [" |~\n", "x"]],
  ])("is %s", (_, cells, column) => {
    expect(encodeTexts(cells)).toEqual(column);
    const reader = readTexts(column);
    expect(readAll(reader, cells.length)).toEqual(cells);
    expect(reader.isAtEnd()).toBe(true);
  });

  it.each<[unknown]>([[""], [3], [null], [[3]], [{}]])("is damaged where it is %j", (column) => {
    expect(() => readTexts(column).next()).toThrow(Damaged);
  });
});

describe("a column of uids", () => {
  it("has 16 bytes per uid", () => {
    const column = encodeUids(UIDS);
    expect(column).toBe(Buffer.from(UIDS.join("").replaceAll("-", ""), "hex").toString("base64url"));
    const reader = readUids(column);
    expect(reader.next()).toBe(UIDS[0]);
    expect(reader.isAtEnd()).toBe(false);
    expect(reader.next()).toBe(UIDS[1]);
    expect(reader.isAtEnd()).toBe(true);
    expect(() => reader.next()).toThrow("ends too early");
  });

  it.each<[unknown]>([["AAAA"], [`${"A".repeat(21)}B`], [`${"A".repeat(21)}!`], [3], [null]])(
    "is damaged where it is %j",
    (column) => {
      expect(() => readUids(column)).toThrow(Damaged);
    },
  );
});
