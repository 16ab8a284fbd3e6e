// What does one Job of 100,000 indexes cost on DynamoDB: its log, its state and its pages? 1,000 Pods begin and end in a second for 100 s, 5,000 transitions
// a second, folded each second; the indexes succeed in random order.
import { decodeClusterName } from "../src/job/ids.ts";
import { startDynamoLocal } from "../test/support/dynamodb-local.ts";
import { largeJobTimeline } from "./dynamodb/large-job.ts";
import { runCluster } from "./dynamodb/run-cluster.ts";
import { createTables } from "./dynamodb/tables.ts";
import { report } from "./measure.ts";

const LARGE = { indexes: 100_000, perSecond: 1_000, seconds: 4 };
const BEGINS_AT = Date.UTC(2026, 10, 21, 9);

const cluster = decodeClusterName("production-eu");
if (cluster === undefined) throw new Error("production-eu is a cluster's name");
const dynamo = await startDynamoLocal();
const tables = await createTables(dynamo);
await runCluster(tables, cluster, { facts: largeJobTimeline(LARGE), foldMs: 1_000, beginsAt: BEGINS_AT });
await dynamo.stop();
const { meter, names } = tables;
const [log, jobs] = [meter.of(names.log), meter.of(names.jobs)];
const unit = "WU";
report([
  { name: "large job on DynamoDB: log", value: log.table + log.refused, unit },
  { name: "large job on DynamoDB: state, pages and indexes", value: jobs.table + jobs.indexes, unit },
  { name: "large job on DynamoDB: refused puts", value: jobs.refused, unit },
  {
    name: "large job on DynamoDB: in all",
    value: log.table + log.refused + jobs.table + jobs.indexes + jobs.refused,
    unit,
    goal: "<= 30000",
  },
  { name: "large job on DynamoDB: read to fold it", value: jobs.read, unit: "RU" },
  { name: "large job on DynamoDB: state item at most", value: Math.max(...meter.stateSizes), unit: "B" },
  { name: "large job on DynamoDB: puts not as the formula says", value: meter.mismatches, unit: "puts", goal: "<= 0" },
]);
