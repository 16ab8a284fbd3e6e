// How fast is a rebuild on DynamoDB, and how much faster with two workers? The Jobs of the recording arrive over some
// hours, in packs. Then the state machine's steps run against DynamoDB Local: each unit in one of one or two worker
// processes, which pull units from one list as Step Functions' map does. CPU times are those of the workers, the other
// times are also those of DynamoDB Local and of whatever else this machine does. `--jobs 500` is a quick run.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import { packSegments } from "../../src/log/pack-segments.ts";
import { isJobFact } from "../../src/job/model/fact.ts";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import { finishUnits, prepareUnits } from "../../src/upkeep/replay/parallel-replay.ts";
import { startReplay } from "../../src/upkeep/replay/rebuild-projection.ts";
import { readCheckpoint } from "../../src/upkeep/replay/stored-checkpoint.ts";
import { unitProgress } from "../../src/upkeep/replay/units/unit-progress.ts";
import { Sealer } from "../../src/segment/sealer.ts";
import { startDynamoLocal } from "../../test/support/aws/dynamodb-local.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { benchOptions } from "../measuring/options.ts";
import { recordedFacts } from "../measuring/recorded.ts";

const JOBS = benchOptions(["jobs"]).positive("jobs", 2_000);
const BEGIN = Date.UTC(2026, 10, 21, 8);
const SPAN_MS = 2 * 3_600_000;
/** The exporter seals every 250 ms, and ingest waits a second for ten segments. */
const FACTS_PER_SEGMENT = 40;
const SEGMENTS_PER_PACK = 10;
const SHARDS = 4;

const workerReport = v.object({ cpuSeconds: v.number(), units: v.number(), conflicts: v.number() });

const dynamo = await startDynamoLocal();
const tables = {
  log: await dynamo.createTable(LOG_SCHEMA),
  meta: await dynamo.createTable(META_SCHEMA),
  jobs: { A: await dynamo.createTable(JOBS_SCHEMA), B: await dynamo.createTable(JOBS_SCHEMA) },
  runs: { A: await dynamo.createTable(RUNS_SCHEMA), B: await dynamo.createTable(RUNS_SCHEMA) },
};
const client = dynamo.client();
const projections = createDynamoProjections(client, {
  tables: tables.jobs,
  runTables: tables.runs,
  retentionDays: 400,
});
const folder = await mkdtemp(join(tmpdir(), "outlive-rebuild-"));
const ports = {
  log: createDynamoLog(client, { table: tables.log, retentionDays: 400 }),
  meta: createDynamoMetaStore(client, { table: tables.meta, retentionDays: 400 }),
  projections,
  spread: { objects: createFolderObjects(folder), idle: projections.idle, idleRuns: projections.idleRuns, isOutage },
};
await fill();
const measures: Measure[] = [];
let alone = 0;
for (const workers of [1, 2]) {
  const { seconds, cpuSeconds, facts, units, conflicts } = await rebuild(workers);
  alone ||= seconds;
  const name = `replay: ${workers} worker${workers === 1 ? "" : "s"}`;
  measures.push(
    { name: `${name}, facts per second`, value: facts / seconds, unit: "facts/s" },
    { name: `${name}, facts per second of their CPU`, value: facts / cpuSeconds, unit: "facts/s" },
    { name: `${name}, writes that lost and were repeated`, value: conflicts, unit: "writes" },
    { name: `${name}, compared with one`, value: alone / seconds, unit: "times" },
  );
  if (workers === 1) measures.push({ name: "replay: units", value: units, unit: "units" });
}
await dynamo.stop();
await rm(folder, { recursive: true });
report(measures);

async function fill(): Promise<void> {
  const cluster = decodeClusterName("bench");
  if (cluster === undefined) throw new Error("bench is a name of a cluster");
  const all = await recordedFacts();
  const jobs = new Set([...new Set(all.filter(isJobFact).map(({ jobUid }) => jobUid))].slice(0, JOBS));
  const facts = all.filter((fact) => !isJobFact(fact) || jobs.has(fact.jobUid));
  const sealer = new Sealer({ cluster, session: "0123456789abcdef", firstSequence: 0 });
  const hours = new LogHourRegistry(ports.meta);
  const packBytes = FACTS_PER_SEGMENT * SEGMENTS_PER_PACK;
  for (let begin = 0; begin < facts.length; begin += packBytes) {
    const arrivedAt = BEGIN + Math.floor((begin / facts.length) * SPAN_MS);
    const items = [];
    for (let from = begin; from < begin + packBytes; from += FACTS_PER_SEGMENT) {
      for (const fact of facts.slice(from, from + FACTS_PER_SEGMENT)) sealer.add(fact);
      items.push(...sealer.seal(arrivedAt - 500));
    }
    for (const pack of packSegments(items, { arrivedAt, shards: SHARDS })) {
      await hours.note(pack.hour);
      await ports.log.packs?.append(pack);
    }
  }
}

async function rebuild(workers: number) {
  await startReplay(ports.meta);
  const run = { retry: { attempts: 12, pause: async () => undefined }, hold: { now: Date.now, millis: 60_000 } };
  const begin = performance.now();
  const reports: v.InferOutput<typeof workerReport>[] = [];
  let units = 0;
  let progress: Awaited<ReturnType<typeof unitProgress>> | undefined;
  for (let outcome = "advanced"; outcome === "advanced";) {
    const prepared = await prepareUnits(ports, run);
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    const left = prepared.units.map((unit) => ({ unit, run: prepared.run }));
    units += left.length;
    reports.push(...(await Promise.all(Array.from({ length: workers }, () => work(left)))));
    progress = await unitProgress(ports.meta, prepared.run);
    ({ outcome } = await finishUnits(ports, run));
    if (outcome !== "advanced" && outcome !== "switched") throw new Error(outcome);
  }
  const seconds = (performance.now() - begin) / 1_000;
  if ((await readCheckpoint(ports.meta))?.checkpoint.stage.stage !== "ended") {
    throw new Error("The replay has not ended, although all of its units are done.");
  }
  const sum = (of: (one: v.InferOutput<typeof workerReport>) => number) =>
    reports.reduce((total, one) => total + of(one), 0);
  return {
    seconds,
    facts: progress?.facts ?? 0,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    conflicts: sum(({ conflicts }) => conflicts),
    units,
  };
}

/** Gives a worker process one unit after the other until none is left. */
async function work(
  left: { readonly unit: string; readonly run: number }[],
): Promise<v.InferOutput<typeof workerReport>> {
  const child = fork(join(import.meta.dirname, "worker.ts"), [dynamo.endpoint, JSON.stringify(tables), folder]);
  await once(child, "message");
  for (let unit = left.shift(); unit !== undefined; unit = left.shift()) {
    child.send(unit);
    await once(child, "message");
  }
  child.send({});
  const [last] = (await once(child, "message")) as [unknown];
  child.disconnect();
  return v.parse(workerReport, last);
}
