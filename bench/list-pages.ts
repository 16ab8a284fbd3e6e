// How long do queries take with a million Jobs in SQLite? Pages of 100 at any depth, one Job, and a summary of thirty
// days, each through the function behind its route. Times are wall-clock times, so use an idle machine. `--database
// FILE` keeps the data for the next run.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJobUid } from "../src/job/model/ids.ts";
import type { JobUid } from "../src/job/model/ids.ts";
import { namespaceKey } from "../src/ports/meta-key.ts";
import { encodeJobState } from "../src/projection/job-state/job-state.ts";
import { measuresOf } from "../src/projection/job-state/job-measures.ts";
import { noSegments } from "../src/projection/job-state/segment-set.ts";
import { packSummary } from "../src/projection/job-state/summary-bytes.ts";
import { getJobNow } from "../src/query/job/get-job.ts";
import type { JobFilter } from "../src/query/list/job-filter.ts";
import { listJobs } from "../src/query/list/list-jobs.ts";
import { summariseJobs } from "../src/query/summary/summarise-jobs.ts";
import type { SummaryGrouping } from "../src/query/summary/summary-group.ts";
import { openDatabase } from "../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../src/adapters/sqlite/sqlite-projections.ts";
import { clusterOf, listedJob } from "../test/support/story/listed-job.ts";
import { Story } from "../test/support/story/story.ts";
import { type Measure, median, report } from "./measuring/measure.ts";
import { benchOptions } from "./measuring/options.ts";

const options = benchOptions(["jobs", "database"]);
/** Use fewer for a quick run: `--jobs 100000`. */
const JOBS = options.positive("jobs", 1_000_000);
const NAMESPACES = 4;
const PAGE = 100;
const DEEP = Math.min(1_000, JOBS / PAGE / 2);
const RUNS = 301;
const BATCH = 10_000;
const DAYS = 30;
const EPOCH = Date.parse("2026-01-01T00:00:00Z");
/** The JSON text of a summary differs per Job; its cost does not. */
const FORMS = 500;
/**
 * One of this many Jobs is running, and one of this many needs attention. Each page has equally many, so that pages are
 * comparable.
 */
const LIVE_EVERY = 1_000;
const ATTENTION_EVERY = 100;

const cluster = clusterOf("east");
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const file = options.text("database") ?? join(folder, "list.sqlite");
const isFilled = existsSync(file);
const database = openDatabase(file, { busyMillis: 1000 });
const meta = createSqliteMetaStore(database);
const jobs = createSqliteProjections(database).open("A");
const ports = { jobs, meta, log: createSqliteLog(database) };
if (!isFilled) await fill();

const first: number[] = [];
const deep: number[] = [];
const { deepCursor, cursors } = await walk({ cluster });
// Alternately, so that other load on the machine affects both.
for (let run = 0; run < RUNS; run += 1) {
  first.push(await timed(() => page({ cluster }, undefined)));
  deep.push(await timed(() => page({ cluster }, deepCursor)));
}
const anywhere = await times(RUNS, (run) => page({ cluster }, cursors[(run * 7919) % cursors.length]));
const failed = await times(RUNS, (run) =>
  list({ cluster, states: ["Failed"], createdBefore: EPOCH + ((run * 7919) % DAYS) * 86_400_000 }),
);
const attention = await times(RUNS, () => page({ cluster, attention: true }, undefined));
const got = await times(RUNS, async (run) => {
  const n = (run * 7919) % JOBS;
  const wanted = { cluster, namespace: namespaceOf(n), name: nameOf(n) };
  const found = await getJobNow(ports, { scope: "everything", wanted }, EPOCH);
  if (found.outcome !== "answered") throw new Error(`Job ${nameOf(n)} is missing from the list.`);
});
const summaries: Measure[] = [];
for (const by of [undefined, "hour", "day", "owner", "cluster", "namespace"] as const) summaries.push(await summed(by));
database.close();
rmSync(folder, { recursive: true });

const of = `of ${JOBS.toLocaleString("en-US")} Jobs`;
const depth = DEEP.toLocaleString("en-US");
report([
  { name: `list: page 1 ${of}, 100 a page, p50`, value: median(first), unit: "ms" },
  { name: `list: page ${depth}, p50`, value: median(deep), unit: "ms" },
  { name: `list: page ${depth} to page 1`, value: median(deep) / median(first), unit: "times", goal: "<= 1.1" },
  { name: `list: page ${depth}, p99`, value: slowest(deep), unit: "ms", goal: "<= 300" },
  { name: "list: pages at any depth, p99", value: slowest(anywhere), unit: "ms", goal: "<= 300" },
  { name: "list: 1,000 rows read for the failed ones, p99", value: slowest(failed), unit: "ms", goal: "<= 300" },
  { name: "list: what needs attention, p99", value: slowest(attention), unit: "ms", goal: "<= 300" },
  { name: `get: one ${of}, p50`, value: median(got), unit: "ms" },
  { name: "get: p99", value: slowest(got), unit: "ms", goal: "<= 50" },
  ...summaries,
]);

async function list(filter: JobFilter, cursor?: string, limit = PAGE) {
  const listed = await listJobs(ports, "everything", { filter, limit, cursor });
  if (listed.outcome !== "listed") throw new Error(listed.problem);
  return listed;
}

/** A full page. */
async function page(filter: JobFilter, cursor: string | undefined): Promise<void> {
  const { items } = await list(filter, cursor);
  if (items.length !== PAGE) throw new Error("The list ends before this page.");
}

/** Positions from the first Job to the last: the beginning of the 1,000th page, and of a page in each 500 Jobs. */
async function walk(filter: JobFilter): Promise<{ readonly deepCursor: string; readonly cursors: readonly string[] }> {
  const found: string[] = [];
  let before: string | undefined;
  for (let read = 0; read + PAGE < JOBS; read += PAGE) {
    const { nextCursor } = await list(filter, before);
    if (nextCursor === undefined) break;
    found.push(nextCursor);
    before = nextCursor;
  }
  const deepCursor = found[DEEP - 2];
  if (deepCursor === undefined) throw new Error("The list has fewer pages than the benchmark reads.");
  return { deepCursor, cursors: found.slice(0, -1) };
}

async function summed(by: SummaryGrouping | undefined): Promise<Measure> {
  const filter = { cluster, createdAfter: EPOCH - 1, createdBefore: EPOCH + DAYS * 86_400_000 };
  const taken = await times(5, () => summariseJobs(ports, "everything", { filter, by }));
  const name = `summary: ${DAYS} days${by === undefined ? "" : ` by ${by}`}, p50`;
  return { name, value: median(taken), unit: "ms", goal: "<= 1000" };
}

async function times(runs: number, work: (run: number) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) taken.push(await timed(() => work(run)));
  return taken;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function slowest(taken: readonly number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.99) - 1] ?? Number.NaN;
}

function nameOf(n: number): string {
  return `report-${n}`;
}

function namespaceOf(n: number): string {
  return `batch-${(n % FORMS) % NAMESPACES}`;
}

/** An unordered number, like a uid: an odd factor is a permutation. */
function uidOf(n: number): JobUid {
  const mixed = (Math.imul(n, 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
  const jobUid = decodeJobUid(`${mixed}-0000-4000-8000-${String(n).padStart(12, "0")}`);
  if (jobUid === undefined) throw new Error("a uid is 36 characters");
  return jobUid;
}

async function fill(): Promise<void> {
  await meta.write("cluster", cluster, { value: "{}", expected: 0 });
  for (let n = 0; n < NAMESPACES; n += 1) {
    await meta.write("namespace", namespaceKey(cluster, namespaceOf(n)), { value: "{}", expected: 0 });
  }
  const bytes = stateBytes();
  const forms = Array.from({ length: FORMS }, (_, n) => formOf(n));
  for (let start = 0; start < JOBS; start += BATCH) {
    await database.inTransaction(async () => {
      for (let n = start; n < Math.min(JOBS, start + BATCH); n += 1) {
        const form = forms[n % FORMS];
        if (form === undefined) throw new Error("each number has a form");
        const createdAt = EPOCH + Math.floor((n * DAYS * 86_400_000) / JOBS);
        const phase = n % LIVE_EVERY === 0 ? "A" : "F";
        const row = { namespace: namespaceOf(n), name: nameOf(n), createdAt, phase, ...form } as const;
        await jobs.write({ cluster, jobUid: uidOf(n) }, { bytes, row }, 0);
      }
    });
  }
}

function stateBytes(): Uint8Array {
  const story = new Story("report");
  story.jobCreated();
  story.jobTracked();
  story.podSucceeds("a", 5, { tracked: true });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return encodeJobState({ layout: "inline", record: story.record, segments: noSegments, seenAt: story.now });
}

function formOf(n: number) {
  const startedAt = EPOCH + 1_000;
  const answer = listedJob({
    name: nameOf(n),
    namespace: namespaceOf(n),
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(startedAt + (1 + ((n * 7919) % 3_600)) * 1_000).toISOString(),
    verdict: { state: n % 20 === 0 ? "Failed" : "Complete", final: true, basis: "both" },
    ...(n % 3 === 0 && { owner: { kind: "CronJob", name: `nightly-${n % 50}`, uid: `c${n % 50}` } }),
  });
  const attention = n % ATTENTION_EVERY === 0;
  return { attention, summary: packSummary(answer), measures: measuresOf(answer, []) };
}
