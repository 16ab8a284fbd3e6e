import { describe, expect, it } from "vitest";
import { jobAlarms } from "../../../lib/monitoring/job-alarms.ts";
import { LIVE, synthesise } from "../synthesised.ts";

const withoutSetting = [...synthesise(LIVE).resources.values()].map(({ path }) => path);

describe("alarms about Jobs", () => {
  it("watch what was added in a period, so that they resolve when nothing more is", () => {
    const watched = Object.entries(jobAlarms("live")).map(([name, { metric, threshold }]) => {
      const { metricStat } = metric.toMetricConfig();
      return [name, metricStat?.metricName, metricStat?.statistic, metricStat?.period.toMinutes(), threshold];
    });
    expect(watched).toEqual([
      ["JobsFail", "JobsFailed", "Sum", 15, 1],
      ["RunsMissed", "MissedRuns", "Sum", 60, 1],
      ["RunsNeedless", "WastedSeconds", "Sum", 60, 1],
    ]);
  });

  it("are a setting", () => {
    expect(withoutSetting).toContain("Alarms/ClustersUnwatched");
    expect(withoutSetting).not.toContain("Alarms/JobsFail");
  });
});
