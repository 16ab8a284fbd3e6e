import { describe, expect, it } from "vitest";
import { COLUMNS } from "../../../src/archive/rows/job-rows.ts";
import { ARCHIVE_TABLES } from "../../../src/ports/deployment/archive-tables.ts";
import { hiveType } from "../../support/archive/hive-type.ts";

describe("the tables of the archive in the catalogue", () => {
  it("have the columns that the archiver writes, in their order and of their types", () => {
    const written = Object.entries(COLUMNS).map(([table, columns]) => [
      table,
      columns.map((column) => [column.name, hiveType(column)]),
    ]);
    expect(Object.entries(ARCHIVE_TABLES).map(([table, types]) => [table, Object.entries(types)])).toEqual(written);
  });
});
