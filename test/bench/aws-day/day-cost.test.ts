import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dayCost } from "../../../bench/aws-day/day-cost.ts";
import type { Prices } from "../../../bench/dynamodb/cost.ts";

const file = new URL("../../../bench/dynamodb/prices.json", import.meta.url);
const prices = JSON.parse(readFileSync(file, "utf8")) as Prices;
const parts = dayCost(prices);

describe("the cost of a day on AWS", () => {
  it("is below 200 USD", () => {
    expect(parts.reduce((sum, { dollars }) => sum + dollars, 0)).toBeLessThan(200);
    for (const { dollars } of parts) expect(dollars).toBeGreaterThan(0);
  });

  it("is that of docs/deploy/aws-day.md", () => {
    const page = readFileSync(new URL("../../../docs/deploy/aws-day.md", import.meta.url), "utf8");
    for (const { service, dollars } of parts) expect(page).toContain(`| ${service} | ${dollars.toFixed(2)} |`);
  });
});
