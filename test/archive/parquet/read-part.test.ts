import { describe, expect, it } from "vitest";
import { type Column, columns, type TableRow } from "../../../src/archive/parquet/column.ts";
import { PartWriter } from "../../../src/archive/parquet/part-writer.ts";
import { countRows, PartUnreadableError, readRows } from "../../../src/archive/parquet/read-part.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const table: readonly Column[] = [
  ...columns("text", "name"),
  ...columns("instant", "created_at"),
  ...columns("long", "exit_code"),
  { name: "labels", kind: "texts" },
  { name: "findings", kind: "structs", fields: [...columns("text", "kind"), ...columns("instant", "since")] },
];
const since = new Date(Date.UTC(2026, 10, 21));
const rows: readonly TableRow[] = [
  { name: "a", created_at: since, exit_code: 1n, labels: { team: "x" }, findings: [{ kind: "LimitReached", since }] },
  { name: "b", created_at: null, exit_code: null, labels: {}, findings: [] },
];

function partOf(some: readonly TableRow[], groupEvery = Infinity) {
  const writer = new PartWriter(table);
  some.forEach((row, index) => {
    writer.add(row);
    if ((index + 1) % groupEvery === 0) writer.endGroup();
  });
  return writer.finish();
}

function sourceOf(bytes: Uint8Array) {
  return { store: new MemoryObjects(new Map([["part", bytes]])), key: "part", bytes: bytes.length };
}

describe("a part", () => {
  it("gives back its rows, row group by row group", async () => {
    const groups = await collect(readRows(sourceOf(partOf(rows, 1))));
    expect(groups.map((group) => group.map(({ name }) => name))).toEqual([["a"], ["b"]]);
    expect(groups.flat()).toEqual(rows);
  });

  it("has the same bytes for the same rows", () => {
    expect(partOf(rows)).toEqual(partOf(rows));
  });

  it("counts its rows without reading them", async () => {
    expect(await countRows(sourceOf(partOf(rows)))).toBe(2);
  });

  it("gives some columns of all its rows", async () => {
    const found = await collect(readRows(sourceOf(partOf(rows, 1)), ["name"]));
    expect(found.flat()).toEqual([{ name: "a" }, { name: "b" }]);
  });

  it.each([
    ["truncated", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 10)],
    ["empty", () => new Uint8Array(0)],
    ["another file", () => Buffer.from("this is no Parquet file at all")],
  ])("that is %s is unreadable", async (_, damage) => {
    await expect(countRows(sourceOf(damage(partOf(rows))))).rejects.toThrow(PartUnreadableError);
  });

  it("that is missing is unreadable", async () => {
    const source = { store: new MemoryObjects(), key: "part", bytes: 100 };
    await expect(countRows(source)).rejects.toThrow("Cannot read part of archive memory: the object is missing.");
  });
});
