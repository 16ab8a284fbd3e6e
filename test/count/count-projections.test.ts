import { describe, expect, it } from "vitest";
import { readMetricsRecord } from "../../src/count/metrics/sums/metrics-record.ts";
import { failingJob } from "../support/notify/failing-job.ts";
import { MetricStage } from "../support/aws/metric-stage.ts";

describe("counting both projections", () => {
  it("records whose metrics are shown", async () => {
    const stage = new MetricStage();
    await stage.count();
    expect((await readMetricsRecord(stage.meta))?.value).toEqual({ of: "A" });
    await stage.tell(failingJob().flat());
    await stage.replay();
    expect((await readMetricsRecord(stage.meta))?.value.of).toBe("A");
    const { counted } = await stage.count();
    expect(counted).toMatchObject({ A: { tookOver: false }, B: { tookOver: true } });
    expect((await readMetricsRecord(stage.meta))?.value).toEqual({ of: "B" });
    expect((await stage.count()).counted).toMatchObject({ B: { tookOver: false } });
  });
});
