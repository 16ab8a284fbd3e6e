// How many facts per second does the SQLite log store durably: with twenty segments per transaction, as in an import,
// and with one?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeClusterName } from "../src/job/model/ids.ts";
import { Sealer } from "../src/segment/sealer.ts";
import { openDatabase } from "../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../src/adapters/sqlite/sqlite-log.ts";
import { median, report } from "./measuring/measure.ts";
import { recordedFacts } from "./measuring/recorded.ts";

/** A segment of a hundred Jobs: a busy cluster in a quarter of a second. */
const SEGMENT_JOBS = 100;
const SEALED_AT = Date.parse("2026-11-21T08:50:00Z");

const cluster = benchCluster();
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const database = openDatabase(join(folder, "log.sqlite"));
const log = createSqliteLog(database);
const facts = await recordedFacts();

/** Facts per second, sealed and durable. `session` separates the keys of runs. */
async function rateOf(session: string, segmentsPerTransaction: number): Promise<number> {
  const began = performance.now();
  const sealer = new Sealer({ cluster, session, firstSequence: 0, maxJobs: SEGMENT_JOBS });
  let position = 0;
  while (position < facts.length) {
    await database.inTransaction(async () => {
      for (let segment = 0; segment < segmentsPerTransaction && position < facts.length; segment += 1) {
        position = fill(sealer, position);
        for (const sealed of sealer.seal(SEALED_AT)) await log.append(sealed);
      }
    });
  }
  return (facts.length / (performance.now() - began)) * 1000;
}

/** Adds facts from `position` until the sealer is full. Returns the next position. */
function fill(sealer: Sealer, position: number): number {
  let next = position;
  for (let fact = facts[next]; fact !== undefined && sealer.add(fact).outcome !== "full"; fact = facts[next]) next += 1;
  return next;
}

function benchCluster() {
  const name = decodeClusterName("bench");
  if (name === undefined) throw new Error("bench is a cluster's name");
  return name;
}

const grouped = [
  await rateOf("000000000000000a", 20),
  await rateOf("000000000000000b", 20),
  await rateOf("000000000000000c", 20),
];
const single = await rateOf("000000000000000d", 1);
database.close();
rmSync(folder, { recursive: true });
report([
  {
    name: "log: facts sealed and durable per second, 20 segments a transaction",
    value: median(grouped),
    unit: "facts/s",
    goal: ">= 15000",
  },
  { name: "log: facts sealed and durable per second, each segment on its own", value: single, unit: "facts/s" },
]);
