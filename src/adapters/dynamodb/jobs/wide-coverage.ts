import type { StoredCoverage, WideCoverage } from "../../../ports/wide-lists.ts";
import { type Item, number, numberOf, text } from "../attribute.ts";
import { type DynamoTable, getItem, putItem, versionIs } from "../dynamo-table.ts";

/**
 * The item of the table that records what the wide lists of its projection contain. Its key cannot be the key of a Job.
 */
export const COVERAGE_KEY = { pk: "#wide", sk: "S" } as const;

export async function readCoverage(table: DynamoTable): Promise<StoredCoverage | undefined> {
  const item = await getItem(table, COVERAGE_KEY);
  return item && toCoverage(item);
}

export async function writeCoverage(
  table: DynamoTable,
  { since, sweptTo, isConverted }: WideCoverage,
  expected: number,
): Promise<"written" | "conflict"> {
  const item: Item = {
    pk: text(COVERAGE_KEY.pk),
    sk: text(COVERAGE_KEY.sk),
    version: number(expected + 1),
    since: number(since),
    sweptTo: number(sweptTo),
    isConverted: { BOOL: isConverted },
  };
  const { outcome } = await putItem(table, item, versionIs(expected));
  return outcome === "written" ? "written" : "conflict";
}

function toCoverage(item: Item): StoredCoverage {
  return {
    since: numberOf(item, "since"),
    sweptTo: numberOf(item, "sweptTo"),
    isConverted: item["isConverted"]?.BOOL === true,
    version: numberOf(item, "version"),
  };
}
