import { number } from "./attribute.ts";
import type { Condition } from "./dynamo-table.ts";

/** The item has the `expected` version; 0 means that it does not exist. */
export function versionIs(expected: number): Condition {
  if (expected === 0) return { expression: "attribute_not_exists(pk)" };
  return { expression: "version = :expected", values: { ":expected": number(expected) } };
}
