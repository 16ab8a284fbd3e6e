// A worker of a rebuild: `node worker.ts ENDPOINT TABLES FOLDER`, a child process with a channel. It gets one unit at a
// time, and reports the CPU time that its units took.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as v from "valibot";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { runUnitStep } from "../../src/upkeep/replay/parallel-replay.ts";

const both = v.object({ A: v.string(), B: v.string() });
const names = v.object({ log: v.string(), meta: v.string(), jobs: both, runs: both });
const message = v.object({ unit: v.optional(v.string()), run: v.optional(v.number(), 0) });

const [endpoint = "", tables = "{}", folder = ""] = process.argv.slice(2);
const { log, meta, jobs, runs } = v.parse(names, JSON.parse(tables));
const client = new DynamoDBClient({
  endpoint,
  region: "eu-central-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const projections = createDynamoProjections(client, { tables: jobs, runTables: runs, retentionDays: 400 });
const ports = {
  log: createDynamoLog(client, { table: log, retentionDays: 400 }),
  meta: createDynamoMetaStore(client, { table: meta, retentionDays: 400 }),
  projections,
  spread: { objects: createFolderObjects(folder), idle: projections.idle, idleRuns: projections.idleRuns, isOutage },
};
let conflicts = 0;
const retry = {
  attempts: 12,
  pause: async () => {
    conflicts += 1;
  },
};
let units = 0;
const before = process.cpuUsage();

process.on("message", (sent) => {
  void answer(v.parse(message, sent));
});
process.send?.({});

async function answer({ unit, run }: v.InferOutput<typeof message>): Promise<void> {
  if (unit === undefined) {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuSeconds: (user + system) / 1e6, units, conflicts });
    return;
  }
  const hold = { now: Date.now, millis: 60_000 };
  const { outcome } = await runUnitStep(ports, { retry, hold }, { run, unit });
  if (outcome !== "done") throw new Error(`Unit ${unit} is ${outcome}.`);
  units += 1;
  process.send?.({});
}
