import { describe, expect, it } from "vitest";
import type { CronRunAnswer } from "../../../src/query/cron-jobs/cron-run.ts";
import { bucketsOf } from "../../../web/pictures/bucket.ts";
import { runDurationsOf, runsByDay, startDelaysOf } from "../../../web/cron-jobs/run-pictures.ts";

const DAY = 86_400_000;
const FROM = Date.parse("2026-11-20T00:00:00Z");
const buckets = bucketsOf({ from: FROM, to: FROM + 3 * DAY, unit: "day" }, FROM + 3 * DAY).map((bucket) => ({
  ...bucket,
  coverage: { kind: "observed" } as const,
}));
const shown = { unit: "day", buckets } as const;

function run(createdAt: string, delaySeconds: number | undefined, durationSeconds: number | undefined): CronRunAnswer {
  return {
    name: createdAt,
    uid: createdAt,
    state: "Complete",
    createdAt,
    attention: false,
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}

describe("the pictures of a CronJob", () => {
  const byDay = runsByDay([
    run("2026-11-20T01:00:00Z", 2, 60),
    run("2026-11-20T23:59:59Z", 4, 100),
    run("2026-11-22T01:00:00Z", undefined, undefined),
  ]);

  it("have the percentiles of the runs of each UTC day, and none for a day without them", () => {
    const { data, caption } = runDurationsOf(shown, byDay, undefined);
    expect(data.series.map(({ name, values }) => [name, values])).toEqual([
      ["p50", [60, undefined, undefined]],
      ["p90", [100, undefined, undefined]],
    ]);
    expect(caption).toBe("On 20 Nov, half of the Jobs took at most 60s, nine in ten at most 100s.");
  });

  it("have start delays of runs with a due time", () => {
    expect(startDelaysOf(shown, byDay).data.series[0]?.values).toEqual([2, undefined, undefined]);
    expect(startDelaysOf(shown, runsByDay([])).caption).toBe("No run has a due time.");
  });

  it("compare durations with the baseline", () => {
    const { data } = runDurationsOf(shown, byDay, { runs: 50, p50: 50, p90: 90 });
    expect(data.reference).toEqual({
      name: "usual: 50s to 90s from creation (last 50 successful runs)",
      from: 50,
      to: 90,
    });
  });
});
