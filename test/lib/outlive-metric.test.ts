import { describe, expect, expectTypeOf, it } from "vitest";
import { type OutliveMetricName, outliveMetric } from "../../lib/outlive-metric.ts";
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from "../../src/runtime/metric-names.ts";

describe("a metric of the stack", () => {
  it("has the name of one that the functions write, and the other way round", () => {
    expectTypeOf<OutliveMetricName>().toEqualTypeOf<MetricName>();
  });

  it("lies where the functions write it", () => {
    expect(outliveMetric("Facts", { stage: "live" })).toMatchObject({
      namespace: METRIC_NAMESPACE,
      dimensions: { [METRIC_DIMENSION]: "live" },
    });
  });
});
