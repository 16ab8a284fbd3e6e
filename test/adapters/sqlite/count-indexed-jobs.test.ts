import { afterEach, describe, expect, it } from "vitest";
import type { JobMeasures } from "../../../src/ports/job-row.ts";
import type { CountQuery } from "../../../src/ports/jobs.ts";
import { createSqliteJobStore } from "../../../src/adapters/sqlite/sqlite-job-store.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const scratch = new ScratchDatabases();
afterEach(() => scratch.clear());

const HOUR = 3_600_000;
const MORNING = Date.UTC(2026, 10, 21, 8);
const cluster = clusterNamed("east");
const complete: JobMeasures = {
  state: "Complete",
  owner: "CronJob/nightly",
  durationBucket: 161,
  findings: "",
  podsSeen: 2,
  podsSucceeded: 1,
  podsFailed: 1,
  needlessRuns: 0,
  needlessMillis: 0,
};

interface Written {
  readonly createdAt?: number;
  readonly namespace?: string;
  readonly measures?: Partial<JobMeasures> | null;
}

/** A store with these Jobs, which has finished ones only. */
async function storeWith(jobs: readonly Written[]) {
  const store = createSqliteJobStore(scratch.open(":memory:"), "A");
  for (const [n, { createdAt = MORNING, namespace = "batch", measures = {} }] of jobs.entries()) {
    const row = {
      namespace,
      name: "nightly",
      createdAt,
      phase: "F",
      attention: n === 0,
      summary: Uint8Array.of(1),
      ...(measures !== null && { measures: { ...complete, ...measures } }),
    } as const;
    await store.write({ cluster, jobUid: jobUid(`${n}`) }, { bytes: Uint8Array.of(1), row }, 0);
  }
  return (query: Partial<CountQuery> = {}) => store.count?.({ cluster, namespace: "batch", by: "all", ...query });
}

describe("counted Jobs", () => {
  it("have the sums of Jobs with the same state and findings, and their durations by bucket", async () => {
    const count = await storeWith([
      {},
      { measures: { durationBucket: 175, needlessRuns: 2, needlessMillis: 900 } },
      {},
      { measures: { state: "Failed", findings: "OomKilled" } },
    ]);
    const { durationBucket: _, owner: __, ...sums } = complete;
    const durations = new Map([
      [161, 2],
      [175, 1],
    ]);
    expect(await count()).toEqual([
      {
        ...sums,
        group: "",
        durations,
        jobs: 3,
        attention: 1,
        podsSeen: 6,
        podsSucceeded: 3,
        podsFailed: 3,
        jobsAgain: 1,
        needlessRuns: 2,
        needlessMillis: 900,
      },
      expect.objectContaining({ state: "Failed", findings: "OomKilled", jobs: 1, attention: 0 }) as unknown,
    ]);
  });

  it.each([
    ["owner", ["CronJob/nightly", "Workflow/x"]],
    ["hour", [`${MORNING}`, `${MORNING + HOUR}`]],
  ] as const)("are grouped by %s", async (by, groups) => {
    const count = await storeWith([{}, { createdAt: MORNING + HOUR, measures: { owner: "Workflow/x" } }]);
    expect((await count({ by }))?.map(({ group }) => group)).toEqual(groups);
  });

  it.each([
    [{ createdAfter: MORNING }, 2],
    [{ createdAfter: MORNING - 1 }, 3],
    [{ createdBefore: MORNING + HOUR }, 2],
    [{ createdBefore: MORNING + HOUR + 1 }, 3],
    [{ createdAfter: MORNING, createdBefore: MORNING + HOUR }, 1],
  ])("were created strictly within %j: %i", async (bounds, jobs) => {
    const count = await storeWith([{}, { createdAt: MORNING + 1 }, { createdAt: MORNING + HOUR }]);
    expect((await count(bounds))?.reduce((sum, counted) => sum + counted.jobs, 0)).toBe(jobs);
  });

  it("without a duration are in no bucket", async () => {
    const { durationBucket: _, ...running } = complete;
    const store = createSqliteJobStore(scratch.open(":memory:"), "A");
    const row = {
      namespace: "batch",
      name: "nightly",
      createdAt: MORNING,
      phase: "A",
      attention: false,
      summary: Uint8Array.of(1),
      measures: running,
    } as const;
    await store.write({ cluster, jobUid: jobUid("a") }, { bytes: Uint8Array.of(1), row }, 0);
    expect(await store.count?.({ cluster, namespace: "batch", by: "all" })).toMatchObject([{ durations: new Map() }]);
  });

  it("are unknown if a row of the namespace has no measures, and known in other namespaces", async () => {
    const count = await storeWith([{}, { measures: null }, { namespace: "other" }]);
    expect(await count()).toBeUndefined();
    expect(await count({ namespace: "other" })).toMatchObject([{ jobs: 1 }]);
  });
});
