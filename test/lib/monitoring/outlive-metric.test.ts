import { describe, expect, it } from "vitest";
import { outliveMetric } from "../../../lib/monitoring/outlive-metric.ts";

describe("a metric of the stack", () => {
  it("is the sum of five minutes in the stage's dimension", () => {
    expect(outliveMetric("Facts", { stage: "live" })).toMatchObject({
      namespace: "Outlive",
      metricName: "Facts",
      dimensions: { Stage: "live" },
      statistic: "Sum",
    });
  });
});
