import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LinePiece, LineSplitter } from "../../../src/kubernetes/json/line-splitter.ts";

function piecesOf(text: string, maxBytes: number, cuts: readonly number[] = []): readonly LinePiece[] {
  const bytes = Buffer.from(text);
  const splitter = new LineSplitter(maxBytes);
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = bounds.flatMap((from, at) => [...splitter.push(bytes.subarray(from, bounds[at + 1] ?? from))]);
  return [...pieces, ...splitter.end()];
}

/** The lines that the pieces make up, by number. */
function linesOf(pieces: readonly LinePiece[]): readonly (readonly [number, string])[] {
  const byLine = Map.groupBy(pieces, ({ line }) => line);
  return [...byLine].map(([line, parts]) => [line, Buffer.concat(parts.map(({ bytes }) => bytes)).toString()]);
}

describe("a line splitter", () => {
  it("numbers lines from 1, and keeps the last line without a line feed", () => {
    expect(linesOf(piecesOf("a\n\nbc", 10))).toEqual([
      [1, "a"],
      [2, ""],
      [3, "bc"],
    ]);
  });

  it("returns a longer line in pieces, of which only the last ends it", () => {
    const pieces = piecesOf("abcdef\ng", 4);
    expect(pieces.map(({ bytes, isFirst, isLast }) => [bytes.toString(), isFirst, isLast])).toEqual([
      ["abcd", true, false],
      ["ef", false, true],
      ["g", true, true],
    ]);
  });

  it("finds the same lines whatever the chunks", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.nat()), fc.integer({ min: 1, max: 8 }), (text, cuts, maxBytes) => {
        expect(linesOf(piecesOf(text, maxBytes, cuts))).toEqual(linesOf(piecesOf(text, 100)));
      }),
    );
  });

  it("keeps a partial line although the source reuses the memory of its chunk", () => {
    const splitter = new LineSplitter(10);
    const chunk = Buffer.from("ab");
    expect([...splitter.push(chunk)]).toEqual([]);
    chunk.fill("x");
    expect([...splitter.push(Buffer.from("c\n"))].map(({ bytes }) => bytes.toString())).toEqual(["abc"]);
  });
});
