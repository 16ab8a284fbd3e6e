// How many facts does the SQLite log take durably in a second, and does a page deep in a list of 200,000 Jobs cost what the first one does?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeClusterName, decodeJobUid, type ClusterName } from "../src/job/ids.ts";
import type { ListPosition } from "../src/ports/jobs.ts";
import { createSealer } from "../src/segment/sealer.ts";
import { type Database, openDatabase } from "../src/sqlite/database.ts";
import { createSqliteJobStore } from "../src/sqlite/sqlite-job-store.ts";
import { createSqliteLog } from "../src/sqlite/sqlite-log.ts";
import { median, report } from "./measure.ts";
import { recordedFacts } from "./recorded.ts";

const JOBS = 200_000;
const PAGE = 100;
const PAGES = 1000;
const JOBS_PER_TRANSACTION = 5000;

const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const database = openDatabase(join(folder, "bench.db"));
try {
  const cluster = decodeClusterName("bench");
  if (cluster === undefined) throw new Error("bench is the name of a cluster.");
  const appended = await measureAppends(database, cluster);
  await writeJobs(database, cluster);
  const { first, deep } = await measurePages(database, cluster);
  report([
    {
      name: "sqlite: facts sealed and durable per second, a transaction for 20 segments",
      value: appended.grouped,
      unit: "facts/s",
      goal: ">= 15000",
    },
    {
      name: "sqlite: facts sealed and durable per second, a transaction for each segment",
      value: appended.single,
      unit: "facts/s",
    },
    { name: "sqlite: page 1 of 200,000 Jobs", value: first, unit: "ms" },
    { name: `sqlite: page ${PAGES} of 200,000 Jobs`, value: deep, unit: "ms" },
    { name: `sqlite: page ${PAGES} against page 1`, value: deep / first, unit: "times", goal: "<= 1.1" },
  ]);
} finally {
  database.close();
  rmSync(folder, { recursive: true });
}

async function measureAppends(database: Database, cluster: ClusterName) {
  const facts = await recordedFacts();
  const log = createSqliteLog(database);
  const run = async (session: string, segmentsPerTransaction: number) => {
    const began = performance.now();
    const sealer = createSealer({ cluster, session, firstSequence: 0, maxJobs: 100 });
    let position = 0;
    while (position < facts.length) {
      await database.inTransaction(async () => {
        for (let segment = 0; segment < segmentsPerTransaction && position < facts.length; segment += 1) {
          for (
            let fact = facts[position];
            fact !== undefined && sealer.add(fact).outcome !== "full";
            fact = facts[position]
          ) {
            position += 1;
          }
          for (const sealed of sealer.seal(1_800_000_000_000)) await log.append(sealed);
        }
      });
    }
    return (facts.length / (performance.now() - began)) * 1000;
  };
  const grouped = [
    await run("000000000000000a", 20),
    await run("000000000000000b", 20),
    await run("000000000000000c", 20),
  ];
  return { grouped: median(grouped), single: await run("000000000000000d", 1) };
}

async function writeJobs(database: Database, cluster: ClusterName): Promise<void> {
  const store = createSqliteJobStore(database, "A");
  const summary = JSON.stringify({ name: "nightly", filler: "x".repeat(900) });
  const bytes = new Uint8Array(300);
  for (let written = 0; written < JOBS; written += JOBS_PER_TRANSACTION) {
    await database.inTransaction(async () => {
      for (let number = written; number < written + JOBS_PER_TRANSACTION; number += 1) {
        // Spread over time out of order, as uids are.
        const createdAt = 1_700_000_000_000 + ((number * 7919) % JOBS) * 1000;
        const jobUid = decodeJobUid(`job-${number}`);
        if (jobUid === undefined) continue;
        const row = {
          namespace: "batch",
          name: `n${number}`,
          createdAt,
          phase: "F",
          attention: false,
          summary,
        } as const;
        await store.write({ cluster, jobUid }, { bytes, row }, 0);
      }
    });
  }
}

async function measurePages(database: Database, cluster: ClusterName) {
  const store = createSqliteJobStore(database, "A");
  const partition = { cluster, namespace: "batch", phase: "F" } as const;
  let after: ListPosition | undefined;
  for (let page = 1; page < PAGES; page += 1) {
    after = (await store.list(partition, { limit: PAGE, ...(after && { after }) })).next;
  }
  const first: number[] = [];
  const deep: number[] = [];
  for (let run = 0; run < 201; run += 1) {
    let began = performance.now();
    await store.list(partition, { limit: PAGE });
    first.push(performance.now() - began);
    began = performance.now();
    await store.list(partition, { limit: PAGE, ...(after && { after }) });
    deep.push(performance.now() - began);
  }
  return { first: median(first), deep: median(deep) };
}
