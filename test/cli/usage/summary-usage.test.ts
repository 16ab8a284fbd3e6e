import { describe, expect, it } from "vitest";
import { usageLines } from "../../../cli/usage/summary-usage.ts";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

function apiWith(pods: number) {
  const asked: string[] = [];
  const usage = presentUsage(usageOf(pods, { kept: 60, failed: 20, failedByLimit: 10, idle: 5 }));
  const groups = [
    { key: "", usage },
    { key: "CronJob/nightly", usage },
    { key: "CronJob/clean", usage: presentUsage(usageOf(1, { kept: 1 })) },
  ];
  const api = {
    name: "test",
    request: async (path: string) => {
      asked.push(path);
      return Response.json({ usage, since: "2026-01-01T00:00:00Z", ...(path.includes("by=series") && { groups }) });
    },
    close: async () => {},
  };
  return { api, asked };
}

describe("what a summary prints about usage", () => {
  it("is each class with time, who is responsible for failures, and the series that waste", async () => {
    const { api, asked } = apiWith(2);
    const lines = await usageLines(api, { namespace: "batch", createdAfter: "2026-01-01T20:00:00Z" });
    expect(lines.map(([name, value]) => `${name}: ${value}`)).toEqual([
      "Reserved from 2026-01-01T00:00:00Z by Jobs that are over: 95s",
      "  kept: 60s",
      "  failed: 30s",
      "    by program: 20s",
      "    by limit: 10s",
      "  idle: 5s",
      "Series that waste most: 35s",
      "  CronJob/nightly: 35s of 95s",
    ]);
    const since = encodeURIComponent("2026-01-01T20:00:00Z");
    expect(asked[0]).toBe(`/v1/usage?namespace=batch&since=${since}`);
  });

  it("is about all days without a time", async () => {
    expect((await usageLines(apiWith(2).api, {}))[0]?.[0]).toBe("Reserved by Jobs that are over");
  });

  it("is nothing without Pods, or for filters that usage does not have", async () => {
    expect(await usageLines(apiWith(0).api, {})).toEqual([]);
    const { api, asked } = apiWith(2);
    expect(await usageLines(api, { state: ["failed"] })).toEqual([]);
    expect(await usageLines(api, { attention: true })).toEqual([]);
    expect(asked).toEqual([]);
  });
});
