// What do questions cost with a million Jobs in SQLite? Pages of 100 at any depth, one Job, and a summary of thirty days, each by the question behind its route.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeClusterName, decodeJobUid } from "../src/job/ids.ts";
import { namespaceKey } from "../src/ports/meta-key.ts";
import { encodeHeldJob } from "../src/projection/held-job.ts";
import { measuresOf } from "../src/projection/job-measures.ts";
import { noSegments } from "../src/projection/segment-set.ts";
import { packSummary } from "../src/projection/summary-bytes.ts";
import { getJobNow } from "../src/query/get-job.ts";
import { listJobs } from "../src/query/list-jobs.ts";
import { summariseJobs } from "../src/query/summarise-jobs.ts";
import { openDatabase } from "../src/sqlite/database.ts";
import { createSqliteLog } from "../src/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../src/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../src/sqlite/sqlite-projections.ts";
import { listedJob } from "../test/support/listed-job.ts";
import { Story } from "../test/support/story.ts";
import { median, report } from "./measure.ts";

/** Fewer for a first look: `--jobs 100000`. */
const JOBS = Number(process.argv[process.argv.indexOf("--jobs") + 1]) || 1_000_000;
const NAMESPACES = 4;
const PAGE = 100;
const DEEP = 1_000;
const RUNS = 101;
const BATCH = 10_000;
const DAYS = 30;
const EPOCH = Date.parse("2026-01-01T00:00:00Z");
/** A summary's JSON text differs from Job to Job; what it costs to read does not. */
const FORMS = 500;

const cluster = decodeClusterName("east");
if (cluster === undefined) throw new Error("east is a cluster's name");
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const database = openDatabase(join(folder, "list.sqlite"), { busyMillis: 1000 });
const meta = createSqliteMetaStore(database);
const jobs = createSqliteProjections(database).open("A");
await meta.write("cluster", cluster, "{}", 0);
for (let n = 0; n < NAMESPACES; n += 1) await meta.write("namespace", namespaceKey(cluster, `batch-${n}`), "{}", 0);

const story = new Story("report");
story.jobCreated();
story.jobTracked();
story.podSucceeds("a", 5, { tracked: true });
story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
const state = encodeHeldJob({ layout: "inline", record: story.record, segments: noSegments, seenAt: story.now });

const forms = Array.from({ length: FORMS }, (_, n) => {
  const startedAt = EPOCH + 1_000;
  const answer = listedJob({
    name: `report-${n}`,
    namespace: `batch-${n % NAMESPACES}`,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(startedAt + (1 + ((n * 7919) % 3_600)) * 1_000).toISOString(),
    verdict: { state: n % 20 === 0 ? "Failed" : "Complete", final: true, basis: "both" },
    ...(n % 3 === 0 && { owner: { kind: "CronJob", name: `nightly-${n % 50}`, uid: `c${n % 50}` } }),
  });
  return { answer, summary: packSummary(answer), measures: measuresOf(answer, []) };
});
for (let start = 0; start < JOBS; start += BATCH) {
  await database.inTransaction(async () => {
    for (let n = start; n < start + BATCH; n += 1) {
      const jobUid = decodeJobUid(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
      const form = forms[n % FORMS];
      if (jobUid === undefined || form === undefined) throw new Error("a uid and a form");
      const { answer, summary, measures } = form;
      const createdAt = EPOCH + Math.floor((n * DAYS * 86_400_000) / JOBS);
      const row = {
        namespace: answer.namespace,
        name: `report-${n}`,
        createdAt,
        phase: "F",
        attention: false,
        summary,
        measures,
      } as const;
      await jobs.write({ cluster, jobUid }, { bytes: state, row }, 0);
    }
  });
}

const ports = { jobs, meta, log: createSqliteLog(database) };
const page = async (cursor: string | undefined) => {
  const list = await listJobs(ports, "everything", { filter: { cluster }, limit: PAGE, cursor });
  if (list.outcome !== "listed" || list.items.length !== PAGE) throw new Error("the list has no such page");
  return list.nextCursor;
};
let deep: string | undefined;
for (let n = 1; n < DEEP; n += 1) deep = await page(deep);

/**
 * Milliseconds of processor time of each run: questions are answered on one thread and from the page cache, so on an idle machine it is the time they take,
 * and on a shared one it is what can be compared.
 */
async function time(runs: number, work: (run: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = process.cpuUsage();
    await work(run);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1_000);
  }
  return times;
}

function slowest(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

// In turn, so that whatever else the machine does is in both.
const first: number[] = [];
const last: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  first.push(...(await time(1, () => page(undefined))));
  last.push(...(await time(1, () => page(deep))));
}
const got = await time(RUNS, async (run) => {
  const n = (run * 7919) % JOBS;
  const namespace = `batch-${(n % FORMS) % NAMESPACES}`;
  const found = await getJobNow(ports, "everything", { cluster, namespace, name: `report-${n}` }, EPOCH);
  if (found.outcome !== "answered") throw new Error(`report-${n} is not there`);
});
const filter = { cluster, createdAfter: EPOCH - 1, createdBefore: EPOCH + DAYS * 86_400_000 };
const summed = await time(5, () => summariseJobs(ports, "everything", filter));
const hourly = await time(5, () => summariseJobs(ports, "everything", filter, { by: "hour" }));
const owners = await time(5, () => summariseJobs(ports, "everything", filter, { by: "owner" }));
database.close();
rmSync(folder, { recursive: true });
const of = `of ${JOBS.toLocaleString("en-US")} Jobs`;
report([
  { name: `list: page 1 ${of}, 100 a page, p50`, value: median(first), unit: "ms" },
  { name: "list: page 1,000, p50", value: median(last), unit: "ms" },
  { name: "list: page 1,000 to page 1", value: median(last) / median(first), unit: "times", goal: "<= 1.1" },
  { name: "list: page 1,000, p99", value: slowest(last), unit: "ms", goal: "<= 300" },
  { name: `get: one ${of}, p50`, value: median(got), unit: "ms" },
  { name: "get: p99", value: slowest(got), unit: "ms", goal: "<= 50" },
  { name: `summary: 30 days ${of}, p50`, value: median(summed), unit: "ms", goal: "<= 1000" },
  { name: "summary: the same by hour, p50", value: median(hourly), unit: "ms", goal: "<= 1000" },
  { name: "summary: the same by owner, p50", value: median(owners), unit: "ms" },
]);
