import { describe, expect, it } from "vitest";
import { type Column, columns, schemaOf, storedValue } from "../../../src/archive/parquet/column.ts";

const instant = Date.UTC(2026, 10, 21);

describe("a schema", () => {
  it("has instants in milliseconds of UTC", () => {
    const [, element] = schemaOf(columns("instant", "created_at"));
    const logical_type = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" };
    expect(element).toMatchObject({ name: "created_at", type: "INT64", logical_type });
  });

  it("counts its columns, not the elements of lists and maps", () => {
    const table: readonly Column[] = [
      { name: "labels", kind: "texts" },
      { name: "hours", kind: "instants" },
      { name: "findings", kind: "structs", fields: columns("text", "kind", "message") },
    ];
    const schema = schemaOf(table);
    expect(schema[0]?.num_children).toBe(3);
    expect(schema).toHaveLength(1 + 4 + 3 + 5);
  });
});

describe("a stored value", () => {
  it.each([
    ["text of RFC 3339", "2026-11-21T00:00:00Z"],
    ["milliseconds", instant],
    ["a date, as a file gives it back", new Date(instant)],
  ])("is an instant if it is %s", (_, value) => {
    expect(storedValue({ name: "at", kind: "instant" }, value)).toBe(BigInt(instant));
  });

  it.each(["text", "whole", "long", "boolean", "instant", "texts", "instants"] as const)(
    "of a column of kind %s may be absent",
    (kind) => {
      expect(storedValue({ name: "x", kind }, undefined)).toBeUndefined();
    },
  );

  it("of a list of structs has the fields of the column only", () => {
    const findings: Column = { name: "findings", kind: "structs", fields: columns("text", "kind") };
    expect(storedValue(findings, [{ kind: "LimitReached", evidence: [] }])).toEqual([{ kind: "LimitReached" }]);
  });

  it("is 64 bits wide in a long column", () => {
    expect(storedValue({ name: "epoch", kind: "long" }, 7)).toBe(7n);
    expect(storedValue({ name: "epoch", kind: "long" }, 7n)).toBe(7n);
  });
});
