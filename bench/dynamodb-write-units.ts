// How many write units does a one-Pod Job cost on DynamoDB (log, state, indexes and refused puts), and what does a
// million of them cost? Jobs of a real control plane are ingested with real requests to DynamoDB Local, which returns
// the consumption of each. Each put is compared with AWS's published formula. Two naive designs are measured on the
// same events.
import { readFileSync } from "node:fs";
import { decodeClusterName, decodeJobUid } from "../src/job/model/ids.ts";
import { type DynamoLocal, startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import { costOfMillion, type Prices } from "./dynamodb/cost.ts";
import type { Units } from "./dynamodb/meter.ts";
import { runNaiveDesign } from "./dynamodb/naive-designs.ts";
import { runCluster } from "./dynamodb/run-cluster.ts";
import { busyCluster, eventsPerJob, type Until } from "./dynamodb/steady-jobs.ts";
import { createTables, type MeteredTables } from "./dynamodb/tables.ts";
import { type Measure, report } from "./measuring/measure.ts";

/** Watch events with new facts per second in a busy cluster. */
const EVENTS_PER_SECOND = 69;
const JOBS = 300;
const BEGINS_AT = Date.UTC(2026, 10, 21, 9);
/** No Job of the recording lives longer. After this time, as many Jobs end as begin. */
const LONGEST_LIFE_MS = { end: 19_000, deletion: 40_000 } as const satisfies Record<Until, number>;
/** The default of the stack (lib/settings.ts, `foldSeconds`): each segment is projected when it arrives. */
const AT_ONCE = 0;
/** Segments are collected before they are projected together, as with `foldSeconds` of 1. */
const SECOND = 1_000;

const cluster = decodeClusterName("production-eu");
if (cluster === undefined) throw new Error("production-eu is a cluster's name");

/** Units of one Job. */
interface PerJob {
  readonly log: number;
  readonly state: number;
  readonly indexes: number;
  readonly refused: number;
  readonly read: number;
  readonly segments: number;
  readonly batches: number;
  readonly all: number;
}

/**
 * Units of one Job in a steady cluster. A window's segment costs the same for few and many Jobs, so the log is taken
 * from the middle.
 */
async function unitsPerJob(
  dynamo: DynamoLocal,
  { until, foldMs }: { readonly until: Until; readonly foldMs: number },
): Promise<{ readonly perJob: PerJob; readonly tables: MeteredTables }> {
  const everyMs = (1_000 * eventsPerJob(until)) / EVENTS_PER_SECOND;
  const tables = await createTables(dynamo);
  const { meter, names } = tables;
  const logUnits: number[] = [];
  const facts = busyCluster({ jobs: JOBS, everyMs, until });
  const onWindow = () => logUnits.push(meter.of(names.log).table + meter.of(names.log).refused);
  await runCluster(tables, ownCluster(), { facts, foldMs, beginsAt: BEGINS_AT, onWindow });
  const [from, to] = [LONGEST_LIFE_MS[until] / 250, Math.floor((JOBS * everyMs) / 250)];
  const log = ((logUnits[to] ?? 0) - (logUnits[from] ?? 0)) / (((to - from) * 250) / everyMs);
  const [jobs, meta] = [meter.of(names.jobs), meter.of(names.meta)];
  const each = (units: number) => units / JOBS;
  const [state, indexes, refused] = [each(jobs.table + meta.table), each(jobs.indexes), each(jobs.refused)];
  const read = each(jobs.read + meta.read);
  const perSecond = everyMs / 1_000;
  const batches = foldMs === 0 ? 4 * perSecond : (1_000 / foldMs) * perSecond;
  const all = log + state + indexes + refused;
  return { perJob: { log, state, indexes, refused, read, segments: 4 * perSecond, batches, all }, tables };
}

function ownCluster() {
  if (cluster === undefined) throw new Error("production-eu is a cluster's name");
  return cluster;
}

async function naiveUnits(dynamo: DynamoLocal, counters: "transaction" | "stream"): Promise<number> {
  const everyMs = (1_000 * eventsPerJob("end")) / EVENTS_PER_SECOND;
  const facts = busyCluster({ jobs: JOBS, everyMs, until: "end" });
  const { events, jobs } = await runNaiveDesign(dynamo, counters, { facts, foldMs: SECOND });
  return (written(events) + written(jobs)) / JOBS;
}

function written({ table, indexes, refused }: Units): number {
  return table + indexes + refused;
}

/** Read units of queries in a projection with the Jobs of a run. */
async function unitsOfQuestions({ meter, names, projections }: MeteredTables): Promise<readonly Measure[]> {
  const jobs = projections.open("A");
  const spent = async (question: () => Promise<unknown>) => {
    meter.reset();
    await question();
    return meter.of(names.jobs).read;
  };
  const partition = { cluster: ownCluster(), namespace: "steady" };
  const page = await spent(() => jobs.list(partition, { limit: 100 }));
  const [first] = (await jobs.list(partition, { limit: 1 })).rows;
  const jobUid = decodeJobUid(first?.jobUid);
  if (first === undefined || jobUid === undefined) throw new Error("The list is empty.");
  const { name } = first;
  const named = await spent(() => jobs.listByName({ ...partition, name }, { limit: 50 }));
  const get = await spent(() => jobs.read({ cluster: ownCluster(), jobUid }));
  return [
    { name: "read units of a list page of 100 Jobs", value: page, unit: "RU" },
    { name: "read units of a Job by name: its name, then its state", value: named + get, unit: "RU" },
  ];
}

function describe(what: string, { log, state, indexes, refused, read, all }: PerJob): readonly Measure[] {
  const unit = "WU";
  return [
    { name: `write units, ${what}: log`, value: log, unit },
    { name: `write units, ${what}: state`, value: state, unit },
    { name: `write units, ${what}: indexes`, value: indexes, unit },
    { name: `write units, ${what}: refused puts`, value: refused, unit },
    { name: `write units, ${what}: in all`, value: all, unit, goal: "<= 10" },
    { name: `read units of the folding, ${what}`, value: read, unit: "RU" },
  ];
}

const dynamo = await startDynamoLocal();
const end = await unitsPerJob(dynamo, { until: "end", foldMs: AT_ONCE });
const questions = await unitsOfQuestions(end.tables);
const whole = await unitsPerJob(dynamo, { until: "deletion", foldMs: AT_ONCE });
const collected = await unitsPerJob(dynamo, { until: "end", foldMs: SECOND });
const patient = await unitsPerJob(dynamo, { until: "deletion", foldMs: 2 * SECOND });
const naive = { transaction: await naiveUnits(dynamo, "transaction"), stream: await naiveUnits(dynamo, "stream") };
await dynamo.stop();

const sizes = whole.tables.meter.stateSizes.toSorted((a, b) => a - b);
const runs = [end, whole, collected, patient];
const prices = JSON.parse(readFileSync(new URL("dynamodb/prices.json", import.meta.url), "utf8")) as Prices;
report([
  ...describe("created to finished", end.perJob),
  ...describe("created to deleted", whole.perJob),
  {
    name: "write units, created to finished: folded every second",
    value: collected.perJob.all,
    unit: "WU",
    goal: "<= 10",
  },
  { name: "write units, created to deleted: folded every 2 s", value: patient.perJob.all, unit: "WU", goal: "<= 10" },
  {
    name: "write units, created to finished: event items, counters in transactions",
    value: naive.transaction,
    unit: "WU",
  },
  { name: "write units, created to finished: event items, counters from the stream", value: naive.stream, unit: "WU" },
  {
    name: "state item of a one-Pod Job, p95 of all writes",
    value: sizes[Math.floor(sizes.length * 0.95)] ?? 0,
    unit: "B",
    goal: "<= 1024",
  },
  {
    name: "puts whose units are not what the published formula says",
    value: runs.reduce((sum, { tables }) => sum + tables.meter.mismatches, 0),
    unit: "puts",
    goal: "<= 0",
  },
  ...questions,
  ...costOfMillion(whole.perJob, prices),
]);
