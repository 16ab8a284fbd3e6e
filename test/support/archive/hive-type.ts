import type { Column, ScalarColumn } from "../../../src/archive/parquet/column.ts";

const SCALARS: { readonly [Kind in ScalarColumn["kind"]]: string } = {
  text: "string",
  instant: "timestamp",
  whole: "int",
  long: "bigint",
  number: "double",
  boolean: "boolean",
};

/** The type of a column in the Glue catalogue, which uses Hive's names. */
export function hiveType(column: Column): string {
  switch (column.kind) {
    case "texts":
      return "map<string,string>";
    case "instants":
      return "array<timestamp>";
    case "structs":
      return `array<struct<${column.fields.map(({ name, kind }) => `${name}:${SCALARS[kind]}`).join(",")}>>`;
    case "text":
    case "instant":
    case "whole":
    case "long":
    case "number":
    case "boolean":
      return SCALARS[column.kind];
  }
}
