import { describe, expect, it } from "vitest";
import { failingJob } from "../../../support/notify/failing-job.ts";
import { MetricStage } from "../../../support/aws/metric-stage.ts";

async function published(stage: MetricStage): Promise<Readonly<Record<string, number | undefined>>> {
  const figures = [...(await stage.count()).published];
  const known = figures.map(([cluster, figure]) => [cluster, figure.get("JobsFailed")] as const);
  return Object.fromEntries(known.filter(([, failed]) => failed !== undefined));
}

describe("what CloudWatch gets of the metrics of Jobs", () => {
  it("is each Job once, for the stage and for each cluster", async () => {
    const stage = new MetricStage(1_000, "cluster");
    expect(await published(stage)).toEqual({ stage: 0 });
    await stage.tell(failingJob("a").flat(), "east");
    await stage.tell(failingJob("b").flat(), "west");
    expect(await published(stage)).toEqual({ stage: 2, east: 1, west: 1 });
    await stage.tell(failingJob("c").flat(), "west");
    expect(await published(stage)).toEqual({ stage: 1, east: 0, west: 1 });
    await stage.replay();
    expect(await published(stage)).toEqual({ stage: 0, east: 0, west: 0 });
  });

  it("is only the stage by default, and nothing where it is off", async () => {
    const stage = new MetricStage(1_000, "stage");
    await stage.count();
    await stage.tell(failingJob("a").flat());
    expect(await published(stage)).toEqual({ stage: 1 });
    expect(await published(new MetricStage())).toEqual({});
  });

  it("covers fifty clusters one by one; the rest is in the stage", async () => {
    const stage = new MetricStage(1_000, "cluster");
    await stage.count();
    for (let n = 0; n < 52; n += 1) await stage.tell(failingJob("a").flat(), `c${n}`);
    // So many sums wait for five minutes.
    expect(await published(stage)).toMatchObject({ stage: 0 });
    stage.now += 5 * 60_000;
    const counts = await published(stage);
    expect(Object.keys(counts)).toHaveLength(51);
    expect(counts).toMatchObject({ stage: 52 });
  });
});
