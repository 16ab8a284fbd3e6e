import { describe, expect, it } from "vitest";
import { moveLivePointer, readLivePointer } from "../../src/projection/live-projection.ts";
import { failingJob } from "../support/notify/failing-job.ts";
import { MetricStage } from "../support/aws/metric-stage.ts";
import { total } from "../support/stores/metered-tracker.ts";

const CREATED = "2026-01-02T11:59:00Z";

async function failed(stage: MetricStage): Promise<number> {
  return total(await stage.scrape(), "outlive_jobs_finished_total", 'state="Failed"');
}

async function point(stage: MetricStage, to: { readonly live: "A" | "B"; readonly building?: "A" | "B" }) {
  await moveLivePointer(stage.meta, await readLivePointer(stage.meta), { ...to, switchedAt: stage.now });
}

describe("a projection whose metrics continue those of the earlier one", () => {
  it("counts the Jobs that ended around the switch once, whichever projection has them", async () => {
    const stage = new MetricStage();
    await stage.count();
    await point(stage, { live: "A", building: "B" });
    await stage.tell(failingJob("before", CREATED).flat());
    await stage.count();
    await stage.tell(failingJob("uncounted", CREATED).flat());
    // A projector that has read the pointer before the switch writes to the second projection after it.
    await point(stage, { live: "A" });
    await stage.tell(failingJob("late", CREATED).flat());
    await point(stage, { live: "B" });
    await stage.tell(failingJob("after", CREATED).flat());
    stage.now -= 30_000;
    await stage.count();
    await stage.tell(failingJob("late", CREATED).flat());
    await stage.count();
    await stage.count();
    expect(await failed(stage)).toBe(4);
    await stage.tell(failingJob("after", CREATED).flat());
    await stage.count();
    expect(await failed(stage)).toBe(4);
  });

  it("does not count Jobs again that have expired and that a replay brought back", async () => {
    const stage = new MetricStage();
    stage.now = Date.parse("2027-01-01T00:00:00Z");
    await stage.count();
    await stage.tell(failingJob("old").flat());
    await stage.count();
    await stage.expire(1);
    await stage.count();
    await stage.replay();
    await stage.count();
    expect(await failed(stage)).toBe(1);
    await stage.expire(1);
    await stage.count();
    expect(await failed(stage)).toBe(1);
  });

  it("continues though the process that does it is killed at any request", async () => {
    for (let request = 0; request < 45; request += 2) {
      const stage = new MetricStage();
      await stage.count();
      await stage.tell(failingJob("a", CREATED).flat());
      await stage.count();
      await stage.replay();
      await stage.countKilled(request);
      await stage.tell(failingJob("b", CREATED).flat());
      await stage.count();
      expect([request, await failed(stage)]).toEqual([request, 2]);
    }
  });
});
