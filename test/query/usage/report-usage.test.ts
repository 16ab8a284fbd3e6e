import { describe, expect, it } from "vitest";
import { LATEST } from "../../../src/job/model/instant.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { reportUsage } from "../../../src/query/usage/report-usage.ts";
import type { UsageQuery } from "../../../src/query/usage/usage-report.ts";
import { usageAt } from "../../support/facts/usage-of.ts";
import { DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { listedJob } from "../../support/story/listed-job.ts";
import { countedStage, FIRST_DAY, JOBS_OF_TWO_DAYS } from "../../support/story/reported-usage.ts";

const counted = await countedStage(JOBS_OF_TWO_DAYS);

async function seconds(ports: QueryPorts, query: Partial<UsageQuery>) {
  const { groups = [] } = await reportUsage(ports, "everything", { ...FIRST_DAY, ...query });
  return Object.fromEntries(groups.map(({ key, usage }) => [key, [usage.pods, usage.podSeconds.total]]));
}

const sum = (from: number, to: number, step = 1) => {
  let total = 0;
  for (let n = from; n < to; n += step) total += 101 + n;
  return total;
};

describe("a report of usage", () => {
  it("divides the time of each Pod at the end of the day, and counts the Pod where it was bound", async () => {
    const { usage, since, until } = await reportUsage(counted, "everything", FIRST_DAY);
    expect(usage).toMatchObject({ pods: 24, podSeconds: { total: sum(0, 24) + 23 * 10, startUp: 24 } });
    expect([since, until]).toEqual(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]);
    expect(await seconds(counted, { by: "day", until: DAY_BEGIN + 72 * HOUR })).toEqual({
      "2026-01-01T00:00:00Z": [24, sum(0, 24) + 230],
      "2026-01-02T00:00:00Z": [24, sum(24, 48) + 240],
      "2026-01-03T00:00:00Z": [0, 10],
    });
  });

  it("reads the Jobs for other groups", async () => {
    const owned = { "a/CronJob/nightly": [2, 237], "b/CronJob/nightly": [3, 368] };
    const all = sum(0, 24) + 230;
    expect(await seconds(counted, { by: "owner" })).toEqual({ "": [19, all - 605], ...owned });
    expect(await seconds(counted, { by: "series" })).toMatchObject(owned);
    expect((await seconds(counted, { by: "label=team" }))["blue"]).toEqual([6, sum(0, 24, 4) + 60]);
    expect((await seconds(counted, { by: "run" }))["a/CronJob/nightly"]).toBeUndefined();
    expect(Object.keys(await seconds(counted, { by: "hour", until: DAY_BEGIN + 3 * HOUR }))).toHaveLength(3);
  });

  it("filters by what Jobs are", async () => {
    const filter = { labels: [{ key: "team", operator: "in", values: ["blue"] }] } as unknown as UsageQuery["filter"];
    const { usage, asOf } = await reportUsage(counted, "everything", { ...FIRST_DAY, filter });
    expect([usage.pods, asOf]).toEqual([6, undefined]);
  });

  it("says how many Jobs do not say what they reserved", async () => {
    const silent = await countedStage([
      [listedJob({ uid: "old" })],
      [listedJob({ uid: "new" }), usageAt(DAY_BEGIN, 1, { kept: 5 })],
    ]);
    const { sums: __, ...stores } = silent;
    const report = await reportUsage(stores, "everything", FIRST_DAY);
    expect(report).toMatchObject({ unknown: 1, complete: true, usage: { pods: 1 } });
  });

  it("ends with the last instant that a time can name", async () => {
    const { until, usage } = await reportUsage(counted, "everything", { ...FIRST_DAY, until: LATEST });
    expect([until, usage.pods]).toEqual(["9999-12-31T23:59:59.999Z", 48]);
  });
});
