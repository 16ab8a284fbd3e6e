import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columns, type TableRow } from "../../../src/archive/parquet/column.ts";
import { PartWriter } from "../../../src/archive/parquet/part-writer.ts";
import { type NumberedParts, NumberSet, replacedRows } from "../../../src/archive/write/replaced-rows.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const table = [...columns("text", "job_uid", "uid"), ...columns("whole", "revision")];
const identity = ["job_uid", "uid"];

type Row = Readonly<Record<"job_uid" | "uid", string> & Record<"revision", number>>;

function partsOf(all: readonly (readonly Row[])[], identifiedBy: readonly string[] = identity): NumberedParts {
  const objects = new Map(all.map((rows, index) => [`part-${index}`, partBytes(rows)]));
  const store = new MemoryObjects(objects);
  const parts = [...objects].map(([key, bytes], index) => ({
    store,
    key,
    bytes: bytes.length,
    rows: all[index]?.length ?? 0,
  }));
  return { parts, identity: identifiedBy };
}

function partBytes(rows: readonly TableRow[]): Uint8Array {
  const writer = new PartWriter(table);
  for (const row of rows) {
    writer.add(row);
    if (writer.waiting === 3) writer.endGroup();
  }
  return writer.finish();
}

function numbersIn(set: NumberSet, rows: number): readonly number[] {
  return Array.from({ length: rows }, (_, number) => number).filter((number) => set.has(number));
}

/** Keeps every identity in memory. */
function replacedInMemory(rows: readonly Row[]): readonly number[] {
  const idOf = ({ job_uid, uid }: Row) => `${job_uid} ${uid}`;
  const newest = new Map<string, number>();
  for (const row of rows) newest.set(idOf(row), Math.max(newest.get(idOf(row)) ?? 0, row.revision));
  return rows.flatMap((row, number) => (newest.get(idOf(row)) === row.revision ? [] : [number]));
}

const name = fc.constantFrom("a", "b", "c", "d", "a b");
const parts = fc.array(fc.array(fc.record({ job_uid: name, uid: name, revision: fc.integer({ min: 1, max: 4 }) })), {
  maxLength: 5,
});

describe("the rows that a later revision replaces", () => {
  it("are the same as with every identity in memory, for any number of identities at once", async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 20 }), async (all, most) => {
        const rows = all.flat();
        const replaced = await replacedRows(partsOf(all), most);
        expect(numbersIn(replaced, rows.length)).toEqual(replacedInMemory(rows));
      }),
    );
  });

  it("are none in a table whose rows are written once", async () => {
    const row = { job_uid: "a", uid: "a", revision: 1 };
    const replaced = await replacedRows(partsOf([[row], [{ ...row, revision: 2 }]], []));
    expect(numbersIn(replaced, 2)).toEqual([]);
  });
});

describe("a set of numbers", () => {
  it("has exactly the numbers that were added", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 99 })), (numbers) => {
        const set = new NumberSet(100);
        for (const number of numbers) set.add(number);
        expect(numbersIn(set, 100)).toEqual(numbers.toSorted((a, b) => a - b));
      }),
    );
  });
});
