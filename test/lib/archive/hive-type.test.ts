import { describe, expect, it } from "vitest";
import { hiveType } from "../../../lib/archive/hive-type.ts";
import { type Column, columns } from "../../../src/archive/parquet/column.ts";

describe("the type of a column in the catalogue", () => {
  it.each<[Column, string]>([
    [{ name: "a", kind: "text" }, "string"],
    [{ name: "a", kind: "instant" }, "timestamp"],
    [{ name: "a", kind: "whole" }, "int"],
    [{ name: "a", kind: "long" }, "bigint"],
    [{ name: "a", kind: "number" }, "double"],
    [{ name: "a", kind: "boolean" }, "boolean"],
    [{ name: "a", kind: "texts" }, "map<string,string>"],
    [{ name: "a", kind: "instants" }, "array<timestamp>"],
    [
      { name: "a", kind: "structs", fields: [...columns("text", "kind"), ...columns("whole", "pod_count")] },
      "array<struct<kind:string,pod_count:int>>",
    ],
  ])("of %j is %s", (column, type) => {
    expect(hiveType(column)).toBe(type);
  });
});
