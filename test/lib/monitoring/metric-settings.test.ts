import { describe, expect, it } from "vitest";
import { readMetrics } from "../../../lib/monitoring/metric-settings.ts";

describe("the settings of metrics", () => {
  it("are eleven metrics of the stage by default", () => {
    expect(readMetrics(() => undefined)).toEqual({ jobAlarms: false, metricsMaxSeries: 10_000, jobMetrics: "stage" });
  });

  it("are read from context", () => {
    const context: Readonly<Record<string, string>> = { metricsMaxSeries: "500", jobMetrics: "none" };
    expect(readMetrics((name) => context[name])).toEqual({
      jobAlarms: false,
      metricsMaxSeries: 500,
      jobMetrics: "none",
    });
  });

  it("are rejected where they are invalid", () => {
    expect(() => readMetrics((name) => (name === "jobMetrics" ? "all" : undefined))).toThrow("jobMetrics");
    const context: Readonly<Record<string, string>> = { jobAlarms: "true", jobMetrics: "none" };
    expect(() => readMetrics((name) => context[name])).toThrow("Expected false where jobMetrics is none.");
  });
});
