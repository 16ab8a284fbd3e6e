// Does page 1,000 of a list cost what page 1 costs? 200,000 Jobs in SQLite, pages of 100, answered by the question behind `GET /v1/jobs`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeClusterName, decodeJobUid } from "../src/job/ids.ts";
import { namespaceKey } from "../src/ports/meta-key.ts";
import { packSummary } from "../src/projection/summary-bytes.ts";
import { listJobs } from "../src/query/list-jobs.ts";
import { openDatabase } from "../src/sqlite/database.ts";
import { createSqliteLog } from "../src/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../src/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../src/sqlite/sqlite-projections.ts";
import { listedJob } from "../test/support/listed-job.ts";
import { median, report } from "./measure.ts";

const JOBS = 200_000;
const PAGE = 100;
const DEEP = 1_000;
const RUNS = 101;
const BATCH = 10_000;
const EPOCH = Date.parse("2026-01-01T00:00:00Z");

const cluster = decodeClusterName("east");
if (cluster === undefined) throw new Error("east is a cluster's name");
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const database = openDatabase(join(folder, "list.sqlite"), { busyMillis: 1000 });
const meta = createSqliteMetaStore(database);
const jobs = createSqliteProjections(database).open("A");
await meta.write("cluster", cluster, "{}", 0);
await meta.write("namespace", namespaceKey(cluster, "batch"), "{}", 0);
for (let start = 0; start < JOBS; start += BATCH) {
  await database.inTransaction(async () => {
    for (let n = start; n < start + BATCH; n += 1) {
      const uid = `00000000-0000-4000-8000-${String((n * 7919) % JOBS).padStart(12, "0")}`;
      const jobUid = decodeJobUid(uid);
      if (jobUid === undefined) throw new Error(`${uid} is a uid`);
      const createdAt = EPOCH + n * 1000;
      const answer = listedJob({ uid, name: `report-${n}`, createdAt: new Date(createdAt).toISOString() });
      const row = {
        namespace: "batch",
        name: answer.name,
        createdAt,
        phase: "F",
        attention: false,
        summary: packSummary(answer),
      } as const;
      await jobs.write({ cluster, jobUid }, { bytes: new Uint8Array(300), row }, 0);
    }
  });
}

const ports = { jobs, meta, log: createSqliteLog(database) };
const page = async (cursor: string | undefined) => {
  const list = await listJobs(ports, "everything", {
    filter: { cluster },
    limit: PAGE,
    ...(cursor !== undefined && { cursor }),
  });
  if (list.outcome !== "listed" || list.items.length !== PAGE) throw new Error("the list has no such page");
  return list.nextCursor;
};
let deep: string | undefined;
for (let n = 1; n < DEEP; n += 1) deep = await page(deep);

const first: number[] = [];
const last: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  for (const [cursor, times] of [
    [undefined, first],
    [deep, last],
  ] as const) {
    const began = performance.now();
    await page(cursor);
    times.push(performance.now() - began);
  }
}
database.close();
rmSync(folder, { recursive: true });
report([
  { name: "list: page 1 of 200,000 Jobs, 100 a page, p50", value: median(first), unit: "ms" },
  { name: "list: page 1,000, p50", value: median(last), unit: "ms" },
  { name: "list: page 1,000 to page 1", value: median(last) / median(first), unit: "times", goal: "<= 1.1" },
]);
