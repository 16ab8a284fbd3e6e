import { describe, expect, it } from "vitest";
import type { groupOf } from "../../../src/query/summary/summary-group.ts";
import { summariseJobs } from "../../../src/query/summary/summarise-jobs.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const HOUR = 3_600;
const jobs = [
  listedJob({ uid: "u1", createdAt: second(1), owner: { kind: "CronJob", name: "nightly", uid: "c" } }),
  listedJob({
    uid: "u2",
    createdAt: second(2),
    verdict: { state: "Failed", final: true, basis: "both" },
    findings: [{ kind: "LimitReached", message: "", evidence: [] }],
  }),
  listedJob({ uid: "u3", createdAt: second(HOUR), namespace: "web" }),
  listedJob({ uid: "u4", createdAt: second(25 * HOUR), cluster: "west" }),
];

describe("a summary by groups", () => {
  it.each<[Parameters<typeof groupOf>[0], Readonly<Record<string, number>>]>([
    ["cluster", { east: 3, west: 1 }],
    ["namespace", { batch: 3, web: 1 }],
    ["owner", { "": 3, "CronJob/nightly": 1 }],
    ["hour", { "2026-01-01T00:00:00Z": 2, "2026-01-01T01:00:00Z": 1, "2026-01-02T01:00:00Z": 1 }],
    ["day", { "2026-01-01T00:00:00Z": 3, "2026-01-02T00:00:00Z": 1 }],
  ])("counts each Job in one %s", async (by, expected) => {
    const { jobs: all, groups = [] } = await summariseJobs(await storesWith(jobs), "everything", { filter: {}, by });
    expect(Object.fromEntries(groups.map((group) => [group.key, group.jobs]))).toEqual(expected);
    expect(all).toBe(4);
  });

  it("has for each group what it has for all", async () => {
    const { groups } = await summariseJobs(await storesWith(jobs), "everything", {
      filter: { namespace: "batch" },
      by: "hour",
    });
    expect(groups?.[0]).toMatchObject({
      byState: { Complete: 1, Failed: 1 },
      successRate: 0.5,
      durationSeconds: { p50: 10 },
      findings: { LimitReached: 1 },
      attention: 1,
    });
  });

  it("lists the largest if there are very many", async () => {
    const many = Array.from({ length: 1_002 }, (_, n) => listedJob({ uid: `u${n}`, createdAt: second(n * HOUR) }));
    const { groups, groupsOmitted } = await summariseJobs(await storesWith(many), "everything", {
      filter: {},
      by: "hour",
    });
    expect([groups?.length, groupsOmitted]).toEqual([1_000, 2]);
  });
});
