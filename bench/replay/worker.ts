// A worker of a rebuild: `node worker.ts ENDPOINT TABLES RUN`, a child process with a channel. It gets one unit at a
// time, and reports the CPU time that its units took.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as v from "valibot";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { runUnitStep } from "../../src/upkeep/replay/parallel-replay.ts";

const names = v.object({ log: v.string(), meta: v.string(), A: v.string(), B: v.string() });
const message = v.object({ unit: v.optional(v.string()) });

const [endpoint = "", tables = "{}", run = ""] = process.argv.slice(2);
const { log, meta, ...jobs } = v.parse(names, JSON.parse(tables));
const client = new DynamoDBClient({
  endpoint,
  region: "eu-central-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const ports = {
  log: createDynamoLog(client, { table: log, retentionDays: 400 }),
  meta: createDynamoMetaStore(client, { table: meta, retentionDays: 400 }),
  projections: createDynamoProjections(client, { tables: jobs, retentionDays: 400 }),
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

async function answer({ unit }: v.InferOutput<typeof message>): Promise<void> {
  if (unit === undefined) {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuSeconds: (user + system) / 1e6, units, conflicts });
    return;
  }
  const hold = { now: Date.now, millis: 60_000 };
  const { outcome } = await runUnitStep(ports, { retry, hold }, { run: Number(run), unit });
  if (outcome !== "done") throw new Error(`Unit ${unit} is ${outcome}.`);
  units += 1;
  process.send?.({});
}
