import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storedSums } from "../../../src/count/stored-sums.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { EARLIEST, formatInstant, LATEST } from "../../../src/job/model/instant.ts";
import type { State } from "../../../src/job/model/states.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import type { JobFilter } from "../../../src/query/list/job-filter.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { summariseJobs } from "../../../src/query/summary/summarise-jobs.ts";
import { summaryOfSums, wholeHours } from "../../../src/query/summary/summary-of-sums.ts";
import { SUMMARY_GROUPS } from "../../../src/query/summary/summary-group.ts";
import { CountScene, DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { clusterOf, listedJob, second } from "../../support/story/listed-job.ts";

const STATES: readonly State[] = ["Complete", "Failed", "Running"];

/** Every 79 seconds a Job, for 40 hours, in two clusters of two namespaces each. */
function manyJobs(): readonly JobAnswer[] {
  return Array.from({ length: 1_800 }, (_, n) => {
    const state = STATES[n % STATES.length] ?? "Complete";
    return listedJob({
      uid: `u${n}`,
      cluster: n % 2 === 0 ? "east" : "west",
      namespace: n % 5 === 0 ? "a" : "b",
      createdAt: second(n * 79),
      startedAt: second(n * 79),
      finishedAt: second(n * 79 + (n % 97)),
      verdict: { state, final: state !== "Running", basis: "both" },
      ...(n % 4 === 0 && { owner: { kind: "CronJob", name: `c${n % 3}`, uid: "c" } }),
      findings: n % 7 === 0 ? [{ kind: "LimitReached", message: "", evidence: [] }] : [],
    });
  });
}

async function countedPorts(
  jobs: readonly JobAnswer[],
): Promise<{ readonly ports: QueryPorts; readonly scene: CountScene }> {
  const scene = new CountScene();
  await scene.count();
  for (const job of jobs) await scene.write(job);
  for (let hour = 20; hour < 48; hour += 1) {
    scene.now = DAY_BEGIN + hour * HOUR;
    await scene.count();
  }
  return { scene, ports: { jobs: scene.store, meta: scene.meta, log: new MemoryLog(), sums: storedSums(scene.ports) } };
}

const { ports: counted, scene } = await countedPorts(manyJobs());
const { sums: _, ...uncounted } = counted;

const bound = fc.oneof(
  fc.integer({ min: 0, max: 45 }).map((hour) => DAY_BEGIN + hour * HOUR),
  fc.integer({ min: 0, max: 45 * 3_600 }).map((n) => DAY_BEGIN + n * 1_000),
);
const filters: fc.Arbitrary<JobFilter> = fc.record(
  {
    cluster: fc.constantFrom("east", "west").map(clusterOf),
    namespace: fc.constantFrom("a", "b", "c"),
    states: fc.subarray(["Complete", "Failed"] as const, { minLength: 1 }),
    createdAfter: bound,
    createdBefore: bound,
  },
  { requiredKeys: [] },
);
const scopes: readonly Scope[] = [
  "everything",
  { grants: [{ cluster: "east", namespaces: "all" }] },
  {
    grants: [
      { cluster: "east", namespaces: ["b"] },
      { cluster: "west", namespaces: ["a"] },
    ],
  },
];

/** Without durations, which are the middles of buckets, and the age of counts. */
function withoutDurations(summary: unknown): unknown {
  const left = new Set(["durationSeconds", "asOf"]);
  return JSON.parse(JSON.stringify(summary, (key, value: unknown) => (left.has(key) ? undefined : value)));
}

describe("a summary from the sums of hours and days", () => {
  it("is the one of the rows, for every filter, group and reader", async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(undefined, ...SUMMARY_GROUPS),
        fc.constantFrom(...scopes),
        async (filter, by, scope) => {
          const rows = await summariseJobs(uncounted, scope, { filter, by });
          expect(withoutDurations(await summariseJobs(counted, scope, { filter, by }))).toEqual(withoutDurations(rows));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("has durations within 3.2 %, those of parts of hours included", async () => {
    const filter = { createdAfter: DAY_BEGIN + 1_800_000 };
    const rows = await summariseJobs(uncounted, "everything", { filter });
    const sums = await summaryOfSums(counted, "everything", { filter });
    const [exact, near] = [rows.durationSeconds?.p50 ?? 0, sums?.durationSeconds?.p50 ?? 0];
    expect(Math.abs(near - exact)).toBeLessThanOrEqual(exact * 0.032);
  });

  it("is as of the last counted change; one of the rows is of now and says nothing", async () => {
    const filter = { createdAfter: DAY_BEGIN - 1 };
    const { asOf } = await summariseJobs(counted, "everything", { filter });
    const writtenAt = new CountScene().now;
    expect(asOf).toEqual({ time: formatInstant(writtenAt) });
    expect(await summariseJobs(uncounted, "everything", { filter })).not.toHaveProperty("asOf");
  });

  it("reads no row for whole hours", async () => {
    scene.store.reads.namespaces = 0;
    const filter = { createdAfter: DAY_BEGIN - 1 };
    expect(await summaryOfSums(counted, "everything", { filter })).toMatchObject({ jobs: 1_800, complete: true });
    expect(scene.store.reads.namespaces).toBe(0);
  });

  it("is left to the rows for few Jobs, which are of this moment", async () => {
    const filter = { createdAfter: DAY_BEGIN + 39 * HOUR - 1 };
    expect(await summaryOfSums(counted, "everything", { filter })).toBeUndefined();
  });

  it("is left to the rows without counts, and within an hour", async () => {
    expect(await summaryOfSums(uncounted, "everything", { filter: {} })).toBeUndefined();
    const others = { ...counted, sums: storedSums({ ...scene.ports, projection: "B" }) };
    expect(await summaryOfSums(others, "everything", { filter: {} })).toBeUndefined();
    const filter = { createdAfter: DAY_BEGIN + 5, createdBefore: DAY_BEGIN + 1_000_000 };
    expect(await summaryOfSums(counted, "everything", { filter })).toBeUndefined();
  });

  it("counts a bound after all Jobs as none", async () => {
    scene.store.reads.namespaces = 0;
    const filter = { createdBefore: DAY_BEGIN + 39.9 * HOUR };
    const summary = await summaryOfSums(counted, "everything", { filter });
    expect(summary).toMatchObject({ jobs: 1_800, complete: true });
  });
});

describe("the whole hours between two instants", () => {
  it.each([
    ["exclude an hour that begins at the exclusive bound", 0, 2 * HOUR, { from: HOUR, to: 2 * HOUR }],
    ["begin at the bound where it is just before an hour", -1, 2 * HOUR, { from: 0, to: 2 * HOUR }],
    ["leave out the hour in which they end", -1, 2 * HOUR + 5, { from: 0, to: 2 * HOUR }],
    ["are none within one hour", 5, HOUR - 5, { from: HOUR, to: 0 }],
  ])("%s", (_, after, before, expected) => {
    expect(wholeHours(after, before)).toEqual(expected);
  });

  it("are all without bounds", () => {
    expect(wholeHours(undefined, undefined).from).toBe(EARLIEST);
    expect(wholeHours(undefined, undefined).to).toBeGreaterThan(LATEST - HOUR);
  });
});
