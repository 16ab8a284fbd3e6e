import { describe, expect, it } from "vitest";
import {
  addFigures,
  figuresByCluster,
  JOB_METRICS,
  publishedFigures,
} from "../../../../src/count/metrics/sums/job-figures.ts";
import { failingJob } from "../../../support/notify/failing-job.ts";
import { MetricStage } from "../../../support/aws/metric-stage.ts";
import { clusterOf } from "../../../support/story/listed-job.ts";

function named(numbers: readonly number[]): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(JOB_METRICS.map((name, at) => [name, numbers[at]]));
}

function at(values: Readonly<Record<string, number>>): readonly number[] {
  return JOB_METRICS.map((name) => values[name] ?? 0);
}

describe("the figures of Jobs for CloudWatch", () => {
  it("are sums over the series of a cluster", async () => {
    const stage = new MetricStage();
    await stage.count();
    await stage.tell(failingJob("a").flat(), "east");
    await stage.tell(failingJob("b").flat(), "west");
    await stage.tell(failingJob("c").slice(0, 1).flat(), "west");
    await stage.count();
    const figures = await figuresByCluster(stage.meta, "A");
    expect(named(figures.get(clusterOf("west")) ?? [])).toMatchObject({ JobsFailed: 1, RunningJobs: 1 });
    expect(named(addFigures(figures.values()))).toMatchObject({
      JobsComplete: 0,
      JobsFailed: 2,
      FailedAttempts: 2,
      RunningJobs: 1,
    });
  });

  it("are published as what was added to a counter, and what a gauge is", () => {
    const published = publishedFigures(
      at({ JobsFailed: 7, RunningJobs: 2, JobSeconds: 5_500 }),
      at({ JobsFailed: 4, RunningJobs: 9, JobSeconds: 1_000, JobsComplete: 3 }),
    );
    expect(Object.fromEntries(published)).toMatchObject({
      JobsFailed: 3,
      RunningJobs: 2,
      JobSeconds: 4.5,
      JobsComplete: 0,
    });
  });
});
