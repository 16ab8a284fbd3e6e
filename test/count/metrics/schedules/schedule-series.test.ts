import { describe, expect, it } from "vitest";
import { scheduleSeries, shownLabels } from "../../../../src/count/metrics/schedules/schedule-series.ts";
import { clusterOf } from "../../../support/story/listed-job.ts";

const cronJob = {
  uid: "a",
  namespace: "batch",
  name: "report",
  missed: 0,
  recent: [],
  until: 0,
  shown: 1,
  kinds: [],
  open: [],
};

describe("the series of CronJobs", () => {
  it("add what CronJobs with the same labels have", () => {
    const [series, ...others] = scheduleSeries(clusterOf("east"), [
      { cronJobs: [cronJob, { ...cronJob, uid: "b", shown: 2 }], ended: [] },
      { cronJobs: [], ended: [{ namespace: "batch", cronJob: "report", count: 4 }] },
    ]);
    expect(others).toEqual([]);
    expect(series?.labels).toEqual({ cluster: "east", namespace: "batch", cronjob: "report" });
    expect(series?.parts.get(0)).toBe(7);
  });

  it("have no control characters in their labels", () => {
    expect(shownLabels({ ...cronJob, name: "a\nb" })).toEqual({ namespace: "batch", cronJob: "a\u{fffd}b" });
    const shownAs = { namespace: "_other", cronJob: "other" };
    expect(shownLabels({ ...cronJob, shownAs })).toBe(shownAs);
  });
});
