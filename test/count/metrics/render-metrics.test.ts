import { describe, expect, it } from "vitest";
import { JOB_DURATION, JOBS_FINISHED } from "../../../src/count/metrics/metric-families.ts";
import {
  exposition,
  METRIC_MEDIA_TYPES,
  preferredFormat,
  renderMetrics,
} from "../../../src/count/metrics/render-metrics.ts";

const labels = { cluster: "east", owner: 'a"b\\c\nd' };
const finished = { family: JOBS_FINISHED, series: [{ labels, parts: new Map([[0, 3]]) }] };

describe("the exposition", () => {
  it("escapes label values", () => {
    expect(renderMetrics([finished], "prometheus")).toBe(
      "# HELP outlive_jobs_finished_total Jobs that ended, each counted once\n" +
        "# TYPE outlive_jobs_finished_total counter\n" +
        'outlive_jobs_finished_total{cluster="east",owner="a\\"b\\\\c\\nd"} 3\n',
    );
  });

  it("names the family of a counter without its suffix in OpenMetrics", () => {
    const text = renderMetrics([finished], "openmetrics");
    expect(text).toContain("# TYPE outlive_jobs_finished counter\noutlive_jobs_finished_total{");
  });

  it("has one end in OpenMetrics, after all texts, and none in the format of Prometheus", () => {
    expect(exposition(["a 1\n", "b 2\n"], "openmetrics")).toBe("a 1\nb 2\n# EOF\n");
    expect(exposition(["a 1\n", "b 2\n"], "prometheus")).toBe("a 1\nb 2\n");
  });

  it("leaves out a family without series", () => {
    expect(renderMetrics([{ family: JOBS_FINISHED, series: [] }], "prometheus")).toBe("");
  });

  it("shows buckets as how many observations are at most their bound, and sums in seconds", () => {
    const parts = new Map([
      [0, 61_500],
      [1, 2],
      [5, 1],
      [15, 1],
    ]);
    const lines = renderMetrics([{ family: JOB_DURATION, series: [{ labels: {}, parts }] }], "prometheus").split("\n");
    expect(lines).toContain('outlive_job_duration_seconds_bucket{le="1.0"} 2');
    expect(lines).toContain('outlive_job_duration_seconds_bucket{le="30.0"} 2');
    expect(lines).toContain('outlive_job_duration_seconds_bucket{le="60.0"} 3');
    expect(lines).toContain('outlive_job_duration_seconds_bucket{le="+Inf"} 4');
    expect(lines).toContain("outlive_job_duration_seconds_sum{} 61.5");
    expect(lines).toContain("outlive_job_duration_seconds_count{} 4");
  });
});

describe("the format", () => {
  it.each([
    ["", "prometheus"],
    ["*/*", "prometheus"],
    ["application/openmetrics-text; version=1.0.0", "openmetrics"],
    ["application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1", "openmetrics"],
    ["application/openmetrics-text;q=0.2, text/plain;q=0.9", "prometheus"],
    ["application/openmetrics-text;q=none", "prometheus"],
  ] as const)("of Accept %j is %s", (accept, format) => {
    expect(preferredFormat(accept)).toBe(format);
  });

  it("has a media type of its own", () => {
    expect(METRIC_MEDIA_TYPES.openmetrics).toContain("version=1.0.0");
    expect(METRIC_MEDIA_TYPES.prometheus).toContain("version=0.0.4");
  });
});
