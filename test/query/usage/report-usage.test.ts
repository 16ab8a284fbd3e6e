import { describe, expect, it } from "vitest";
import { storedSums } from "../../../src/count/stored-sums.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { HourlyUsage } from "../../../src/job/usage/usage.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { reportUsage } from "../../../src/query/usage/report-usage.ts";
import type { UsageQuery } from "../../../src/query/usage/usage-report.ts";
import { usageAt, usageOf } from "../../support/facts/usage-of.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { clusterOf, listedJob, second } from "../../support/story/listed-job.ts";

type Written = readonly [job: JobAnswer, usage?: HourlyUsage];

/** A Job of each hour of two days, in two clusters and namespaces, whose second part is in the next hour. */
const JOBS: readonly Written[] = Array.from({ length: 48 }, (_, n): Written => {
  const job = listedJob({
    uid: `u${n}`,
    cluster: n % 2 === 0 ? "east" : "west",
    namespace: n % 3 === 0 ? "a" : "b",
    labels: n % 4 === 0 ? { team: "blue" } : {},
    createdAt: second(n * 3_600),
    ...(n % 5 === 0 && { owner: { kind: "CronJob", name: "nightly", uid: "c" } }),
  });
  const usage = new Map([
    [DAY_BEGIN + n * HOUR, usageOf(1, { startUp: 1, kept: 100 + n })],
    [DAY_BEGIN + (n + 1) * HOUR, usageOf(0, { kept: 10 })],
  ]);
  return [job, usage];
});

async function stage(jobs: readonly Written[]): Promise<QueryPorts> {
  const scene = new CountScene();
  await scene.count();
  for (const [job, usage] of jobs) await scene.write(job, usage);
  await scene.count();
  return { jobs: scene.store, meta: scene.meta, log: new MemoryLog(), sums: storedSums(scene.ports) };
}

const counted = await stage(JOBS);
const { sums: _, ...uncounted } = counted;
const FIRST_DAY: UsageQuery = { filter: {}, since: DAY_BEGIN, until: DAY_BEGIN + 24 * HOUR };

async function seconds(ports: QueryPorts, query: Partial<UsageQuery>, scope: Scope = "everything") {
  const { groups = [] } = await reportUsage(ports, scope, { ...FIRST_DAY, ...query });
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

  it.each(["cluster", "namespace", "day", undefined] as const)(
    "is the same from sums and from Jobs by %s",
    async (by) => {
      for (const filter of [{}, { cluster: clusterOf("east") }, { namespace: "b" }]) {
        for (const until of [24, 25, 60].map((hours) => DAY_BEGIN + hours * HOUR)) {
          const query = { ...FIRST_DAY, filter, until, by };
          const { asOf, ...ofSums } = await reportUsage(counted, "everything", query);
          expect(asOf).toBeDefined();
          expect(await reportUsage(uncounted, "everything", query)).toEqual(ofSums);
        }
      }
    },
  );

  it("shows a reader of one namespace that namespace only", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["a"] }] };
    const own = { a: [4, sum(0, 24, 6) + 40] };
    expect(await seconds(counted, { by: "namespace" }, scope)).toEqual(own);
    expect(await seconds(uncounted, { by: "namespace" }, scope)).toEqual(own);
  });

  it("reads the Jobs for other groups", async () => {
    const owned = [0, 5, 10, 15, 20].reduce((total, n) => total + 111 + n, 0);
    const all = sum(0, 24) + 230;
    expect(await seconds(counted, { by: "owner" })).toEqual({ "": [19, all - owned], "CronJob/nightly": [5, owned] });
    expect((await seconds(counted, { by: "series" }))["CronJob/nightly"]).toEqual([5, owned]);
    expect((await seconds(counted, { by: "label=team" }))["blue"]).toEqual([6, sum(0, 24, 4) + 60]);
    expect((await seconds(counted, { by: "run" }))["CronJob/nightly"]).toBeUndefined();
    expect(Object.keys(await seconds(counted, { by: "hour", until: DAY_BEGIN + 3 * HOUR }))).toHaveLength(3);
  });

  it("filters by what Jobs are", async () => {
    const filter = { labels: [{ key: "team", operator: "in", values: ["blue"] }] } as unknown as UsageQuery["filter"];
    const { usage, asOf } = await reportUsage(counted, "everything", { ...FIRST_DAY, filter });
    expect([usage.pods, asOf]).toEqual([6, undefined]);
  });

  it("says how many Jobs do not say what they reserved", async () => {
    const silent = await stage([
      [listedJob({ uid: "old" })],
      [listedJob({ uid: "new" }), usageAt(DAY_BEGIN, 1, { kept: 5 })],
    ]);
    const { sums: __, ...stores } = silent;
    const report = await reportUsage(stores, "everything", FIRST_DAY);
    expect(report).toMatchObject({ unknown: 1, complete: true, usage: { pods: 1 } });
  });
});
