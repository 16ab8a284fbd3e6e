import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { bucketMiddle, durationBucket } from "../../../src/job/status/duration-bucket.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { measuresOf } from "../../../src/projection/job-state/job-measures.ts";
import type { JobFilter } from "../../../src/query/list/job-filter.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { summariseJobs } from "../../../src/query/summary/summarise-jobs.ts";
import { SUMMARY_GROUPS } from "../../../src/query/summary/summary-group.ts";
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../../src/adapters/sqlite/sqlite-projections.ts";
import { clusterOf, listedJob, rowOf, second, storesWith } from "../../support/story/listed-job.ts";

/** The same Jobs in SQLite, which counts them, and in memory, where they are read. */
async function inSqlite(jobs: readonly JobAnswer[], measured = true): Promise<QueryPorts> {
  const database = openDatabase(":memory:");
  const meta = createSqliteMetaStore(database);
  const store = createSqliteProjections(database).open("A");
  for (const job of jobs) {
    const cluster = clusterOf(job.cluster);
    const jobUid = decodeJobUid(job.uid);
    if (jobUid === undefined) throw new Error(job.uid);
    await meta.write("cluster", cluster, { value: "{}", expected: 0 });
    await meta.write("namespace", namespaceKey(cluster, job.namespace), { value: "{}", expected: 0 });
    const row = { ...rowOf(job), ...(measured && { measures: measuresOf(job, []) }) };
    // Written twice: what was counted of the first state is counted no more.
    await store.write({ cluster, jobUid }, { bytes: Uint8Array.of(1), row: { ...row, createdAt: 0 } }, 0);
    await store.write({ cluster, jobUid }, { bytes: Uint8Array.of(1), row }, 1);
  }
  return { jobs: store, meta, log: createSqliteLog(database) };
}

const jobs = fc.uniqueArray(
  fc.record({
    cluster: fc.constantFrom("east", "west"),
    namespace: fc.constantFrom("a", "b"),
    uid: fc.integer({ min: 1, max: 60 }).map((n) => `u${n}`),
    createdAt: fc.integer({ min: 0, max: 50 * 3_600 }).map(second),
    state: fc.constantFrom("Complete" as const, "Failed" as const, "Running" as const),
    owner: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
    findings: fc.subarray(["LimitReached", "StatusBehind"] as const),
  }),
  { selector: ({ cluster, uid }) => `${cluster}/${uid}`, maxLength: 30 },
);

function drawnJob({
  state,
  owner,
  findings,
  ...said
}: typeof jobs extends fc.Arbitrary<(infer J)[]> ? J : never): JobAnswer {
  return listedJob({
    ...said,
    verdict: { state, final: state !== "Running", basis: "both" },
    ...(owner !== undefined && { owner: { kind: "CronJob", name: owner, uid: owner } }),
    findings: findings.map((kind) => ({ kind, message: "", evidence: [] })),
  });
}

const filters: fc.Arbitrary<JobFilter> = fc.record(
  {
    namespace: fc.constantFrom("a", "b", "c"),
    states: fc.subarray(["Complete", "Failed"] as const, { minLength: 1 }),
    createdAfter: fc.integer({ min: 0, max: 30 * 3_600 }).map((n) => Date.parse(second(n))),
    createdBefore: fc.integer({ min: 0, max: 50 * 3_600 }).map((n) => Date.parse(second(n))),
  },
  { requiredKeys: [] },
);

describe("a summary that the store has counted", () => {
  it("is the one of the rows, but for durations, which are within 3.2 %", async () => {
    const scopes: readonly Scope[] = ["everything", { grants: [{ cluster: "east", namespaces: ["a"] }] }];
    await fc.assert(
      fc.asyncProperty(
        jobs,
        filters,
        fc.constantFrom(undefined, ...SUMMARY_GROUPS),
        fc.constantFrom(...scopes),
        async (drawn, filter, by, scope) => {
          const all = drawn.map(drawnJob);
          const read = await summariseJobs(await storesWith(all), scope, { filter, by });
          const counted = await summariseJobs(await inSqlite(all), scope, { filter, by });
          expect(withoutDurations(counted)).toEqual(withoutDurations(read));
          const [exact, near] = [read.durationSeconds?.p50, counted.durationSeconds?.p50];
          expect(Math.abs((near ?? 0) - (exact ?? 0))).toBeLessThanOrEqual((exact ?? 0) * 0.032);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is read from the rows where some were written before they were measured", async () => {
    const all = [listedJob({ uid: "u1" }), listedJob({ uid: "u2", createdAt: second(5) })];
    const summary = await summariseJobs(await inSqlite(all, false), "everything", { filter: {} });
    expect(summary).toMatchObject({ jobs: 2, durationSeconds: { p50: 10 } });
  });

  it("reads rows for filters that the index does not have", async () => {
    const ports = await inSqlite([listedJob({ uid: "u1", name: "report" }), listedJob({ uid: "u2", name: "import" })]);
    expect((await summariseJobs(ports, "everything", { filter: { name: "report" } })).jobs).toBe(1);
    expect((await summariseJobs(ports, "everything", { filter: { attention: true } })).jobs).toBe(0);
  });
});

/** A text, without the durations in it. */
function withoutDurations(summary: unknown): unknown {
  return JSON.parse(JSON.stringify(summary, (key, value: unknown) => (key === "durationSeconds" ? undefined : value)));
}

describe("a duration's bucket", () => {
  it("has a middle within 3.2 % of every duration in it, and keeps their order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e12 }), (a, b) => {
        expect(Math.abs(bucketMiddle(durationBucket(a)) - a) / a).toBeLessThanOrEqual(0.032);
        expect(Math.sign(durationBucket(a) - durationBucket(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(bucketMiddle(durationBucket(0))).toBe(0);
  });
});
