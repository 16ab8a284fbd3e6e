import { describe, expect, it } from "vitest";
import { columns } from "../../../src/archive/parquet/column.ts";
import { PartSet } from "../../../src/archive/write/part-set.ts";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { readRows } from "../../../src/archive/parquet/read-part.ts";
import { EIGHT } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const table = columns("text", "name");
const link = { kind: "hour", hour: hourOf(EIGHT) } as const;
const days = ["2026-11-20", "2026-11-21"] as const;
const ROWS = 40;

/** Rows that alternate between two days. */
function partsWith(limits: ConstructorParameters<typeof PartSet>[1]) {
  const set = new PartSet(link, limits);
  const parts = [];
  for (let row = 0; row < ROWS; row += 1) {
    const partition = { table: "jobs", day: days[row % 2 === 0 ? 0 : 1], cluster: clusterNamed("east") } as const;
    parts.push(...set.add(partition, table, { name: `job-${row}` }));
  }
  parts.push(...set.finish());
  return parts;
}

const wide = { partBytes: 1e9, openBytes: 1e9, waitingRows: 1e9 };

describe("the parts of many rows", () => {
  it("are one per partition, in order", () => {
    const keys = partsWith(wide).map(({ key, rows }) => [key, rows]);
    expect(keys).toEqual([
      ["jobs/dt=2026-11-20/cluster=east/part-1-h08.parquet", 20],
      ["jobs/dt=2026-11-21/cluster=east/part-0-h08.parquet", 20],
    ]);
  });

  it.each([
    ["rows wait for a row group", { ...wide, waitingRows: 5 }],
    ["a part is large", { ...wide, waitingRows: 5, partBytes: 300 }],
    ["all parts together are large", { ...wide, waitingRows: 5, openBytes: 400 }],
  ])("have every row once when too many %s", async (_, limits) => {
    const names: unknown[] = [];
    const parts = partsWith(limits);
    for (const { key, bytes } of parts) {
      const store = new MemoryObjects(new Map([[key, bytes]]));
      const rows = await collect(readRows({ store, key, bytes: bytes.length }));
      names.push(...rows.flat().map(({ name }) => name));
    }
    expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
    expect(names).toHaveLength(ROWS);
    expect(new Set(names).size).toBe(ROWS);
  });

  it("are split where a part is large", () => {
    const keys = partsWith({ ...wide, waitingRows: 5, partBytes: 300 }).map(({ key }) => key);
    expect(keys).toContain("jobs/dt=2026-11-20/cluster=east/part-1-h08-1.parquet");
  });
});
