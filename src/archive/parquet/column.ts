import type { SchemaElement } from "hyparquet";
import { type Instant, parseInstant } from "../../job/model/instant.ts";

/** A row by column name. Values are those of the column's kind, or absent. */
export type TableRow = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
}

/** A column that has one value. `whole` has 32 bits, `long` 64. An `instant` is milliseconds or RFC 3339 text. */
export interface ScalarColumn extends Named {
  readonly kind: "text" | "instant" | "whole" | "long" | "number" | "boolean";
}

/** `texts` maps keys to texts, `instants` is a list, `structs` a list of objects with `fields`. */
export type Column =
  | ScalarColumn
  | (Named & { readonly kind: "texts" | "instants" })
  | (Named & { readonly kind: "structs"; readonly fields: readonly ScalarColumn[] });

/** Columns of one kind. */
export function columns(kind: ScalarColumn["kind"], ...names: readonly string[]): readonly ScalarColumn[] {
  return names.map((name) => ({ name, kind }));
}

/** The schema of a Parquet file with these columns, all optional. */
export function schemaOf(table: readonly Column[]): SchemaElement[] {
  return [{ name: "row", num_children: table.length }, ...table.flatMap(elementsOf)];
}

function elementsOf(column: Column): SchemaElement[] {
  if (isScalar(column)) return [leaf(column)];
  switch (column.kind) {
    case "texts":
      return [
        { ...group(column.name, "OPTIONAL", 1), converted_type: "MAP", logical_type: { type: "MAP" } },
        group("key_value", "REPEATED", 2),
        { ...leaf({ name: "key", kind: "text" }), repetition_type: "REQUIRED" },
        leaf({ name: "value", kind: "text" }),
      ];
    case "instants":
      return [...listOf(column.name), leaf({ name: "element", kind: "instant" })];
    case "structs":
      return [...listOf(column.name), group("element", "OPTIONAL", column.fields.length), ...column.fields.map(leaf)];
  }
}

function isScalar(column: Column): column is ScalarColumn {
  return column.kind in TYPES;
}

function listOf(name: string): SchemaElement[] {
  return [
    { ...group(name, "OPTIONAL", 1), converted_type: "LIST", logical_type: { type: "LIST" } },
    group("list", "REPEATED", 1),
  ];
}

function group(name: string, repetition_type: "OPTIONAL" | "REPEATED", num_children: number): SchemaElement {
  return { name, repetition_type, num_children };
}

function leaf({ name, kind }: ScalarColumn): SchemaElement {
  return { name, repetition_type: "OPTIONAL", ...TYPES[kind] };
}

const TYPES: { readonly [Kind in ScalarColumn["kind"]]: Omit<SchemaElement, "name"> } = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  whole: { type: "INT32" },
  long: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
};

/** A value as the writer of Parquet takes it. Values may come from an answer, or from a Parquet file. */
export function storedValue(column: Column, value: unknown): unknown {
  if (isScalar(column)) return storedScalar(column, value);
  if (typeof value !== "object" || value === null) return undefined;
  switch (column.kind) {
    case "texts":
      return Object.entries(value).map(([key, text]: [string, unknown]) => ({ key, value: text }));
    case "instants":
      return itemsOf(value).map(storedInstant);
    case "structs":
      return itemsOf(value).map((item) => storedStruct(column.fields, item));
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function storedStruct(fields: readonly ScalarColumn[], item: unknown): TableRow {
  const values = new Map<string, unknown>(typeof item === "object" && item !== null ? Object.entries(item) : []);
  return Object.fromEntries(fields.map((field) => [field.name, storedScalar(field, values.get(field.name))]));
}

function storedScalar({ kind }: ScalarColumn, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (kind === "instant") return storedInstant(value);
  return kind === "long" && typeof value === "number" ? BigInt(value) : value;
}

function storedInstant(value: unknown): bigint | undefined {
  const instant: Instant | undefined =
    value instanceof Date ? value.getTime() : typeof value === "number" ? value : parseInstant(value);
  return instant === undefined ? undefined : BigInt(instant);
}
