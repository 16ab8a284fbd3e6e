// What does one Job of 100,000 indexes cost on DynamoDB: its log, its state and its pages? 1,000 Pods start and end per
// second for 100 s (5,000 transitions per second), and the indexes succeed in random order. Measured with the default
// settings, and with segments of one second projected together (`foldSeconds=1`).
import { decodeClusterName } from "../src/job/model/ids.ts";
import { type DynamoLocal, startDynamoLocal } from "../test/support/aws/dynamodb-local.ts";
import { largeJobTimeline } from "./dynamodb/large-job.ts";
import { runCluster } from "./dynamodb/run-cluster.ts";
import { createTables } from "./dynamodb/tables.ts";
import { type Measure, report } from "./measuring/measure.ts";

const LARGE = { indexes: 100_000, perSecond: 1_000, seconds: 4 };
const BEGINS_AT = Date.UTC(2026, 10, 21, 9);

async function measure(dynamo: DynamoLocal, folded: string, foldMs: number): Promise<readonly Measure[]> {
  const cluster = decodeClusterName("production-eu");
  if (cluster === undefined) throw new Error("production-eu is a cluster's name");
  const tables = await createTables(dynamo);
  await runCluster(tables, cluster, { facts: largeJobTimeline(LARGE), foldMs, beginsAt: BEGINS_AT });
  const { meter, names } = tables;
  const [log, jobs, meta] = [meter.of(names.log), meter.of(names.jobs), meter.of(names.meta)];
  const notes = meta.table + meta.refused;
  const all = log.table + log.refused + jobs.table + jobs.indexes + jobs.refused + notes;
  const name = `large job on DynamoDB, ${folded}`;
  const unit = "WU";
  return [
    { name: `${name}: log`, value: log.table + log.refused, unit },
    { name: `${name}: state, pages and indexes`, value: jobs.table + jobs.indexes, unit },
    { name: `${name}: notes of what waits`, value: notes, unit },
    { name: `${name}: refused puts`, value: jobs.refused, unit },
    { name: `${name}: in all`, value: all, unit, goal: "<= 30000" },
    { name: `${name}: read to fold it`, value: jobs.read + meta.read, unit: "RU" },
    { name: `${name}: state item at most`, value: Math.max(...meter.stateSizes), unit: "B" },
    { name: `${name}: puts not as the formula says`, value: meter.mismatches, unit: "puts", goal: "<= 0" },
  ];
}

const dynamo = await startDynamoLocal();
const atOnce = await measure(dynamo, "by default", 0);
const collected = await measure(dynamo, "foldSeconds=1", 1_000);
await dynamo.stop();
report([...atOnce, ...collected]);
