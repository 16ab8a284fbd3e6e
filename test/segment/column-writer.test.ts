import { describe, expect, it } from "vitest";
import { ColumnReader } from "../../src/segment/column-reader.ts";
import { ColumnWriter } from "../../src/segment/column-writer.ts";
import { Damaged } from "../../src/segment/damaged.ts";

const UIDS = ["1c0a8c70-6c5b-4a52-9a0e-000000000001", "1c0a8c70-6c5b-4a52-9a0e-000000000002"] as const;

describe("columns", () => {
  it("are written in the order of their first cells, one per name and kind", () => {
    const writer = new ColumnWriter();
    writer.text("b", "x");
    writer.number("a", 1);
    writer.text("b", "y");
    writer.millis("a", 2_000);
    expect(writer.encode()).toEqual([" x y", 1, 2]);
  });

  it("have a repeated word once, and its distance from the newest one after that", () => {
    const writer = new ColumnWriter();
    for (const word of ["one", "two", "one", "two", "three", "one"]) writer.word("w", word);
    expect(writer.encode()).toEqual(["##'%#)", " one two three"]);
  });

  it("are read by the same calls, each cell to its end", () => {
    const writer = new ColumnWriter();
    for (const uid of [...UIDS, ...UIDS]) writer.uid("u", uid);
    for (const word of ["one", "two", "one"]) writer.word("w", word);
    const reader = new ColumnReader(JSON.parse(JSON.stringify(writer.encode())) as readonly unknown[]);
    expect([...UIDS, ...UIDS].map(() => reader.uid("u"))).toEqual([...UIDS, ...UIDS]);
    expect(() => reader.end()).toThrow(Damaged);
    expect(["", "", ""].map(() => reader.word("w"))).toEqual(["one", "two", "one"]);
    expect(() => reader.end()).not.toThrow();
  });

  it("share the uids of all names", () => {
    const writer = new ColumnWriter();
    writer.uid("job", UIDS[0]);
    writer.uid("pod", UIDS[1]);
    writer.uid("job", UIDS[0]);
    const reader = new ColumnReader(writer.encode());
    expect([reader.uid("job"), reader.uid("pod"), reader.uid("job")]).toEqual([UIDS[0], UIDS[1], UIDS[0]]);
  });

  it("are damaged where a word refers to one before the first", () => {
    const reader = new ColumnReader([3, " one"]);
    expect(() => reader.word("w")).toThrow("Column w refers to a value that was not written before.");
  });

  it("are damaged where one is left", () => {
    const reader = new ColumnReader([7, 8]);
    reader.number("a");
    expect(() => reader.end()).toThrow("more cells than the script uses");
  });
});
