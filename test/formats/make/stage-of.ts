import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttributeValue, type DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../../../src/ports/deployment/tables.ts";
import { startDynamoLocal } from "../../support/aws/dynamodb-local.ts";

/** The items of each table of a stage, which the functions of `checkout` wrote. Bytes are base64. */
export async function stageOf(checkout: string, segments: readonly Uint8Array[]) {
  const dynamo = await startDynamoLocal();
  const folder = mkdtempSync(join(tmpdir(), "outlive-stage-"));
  try {
    const tables = {
      log: await dynamo.createTable(LOG_SCHEMA),
      meta: await dynamo.createTable(META_SCHEMA),
      jobsA: await dynamo.createTable(JOBS_SCHEMA),
      jobsB: await dynamo.createTable(JOBS_SCHEMA),
      runsA: await dynamo.createTable(RUNS_SCHEMA),
      runsB: await dynamo.createTable(RUNS_SCHEMA),
    };
    const file = join(folder, "segments.json");
    writeFileSync(file, JSON.stringify(segments.map((bytes) => Buffer.from(bytes).toString("base64"))));
    fill({ checkout, file, env: settingsOf(tables, dynamo.endpoint) });
    const items: Record<string, readonly unknown[]> = {};
    for (const [name, table] of Object.entries(tables)) items[name] = await itemsOf(dynamo.client(), table);
    return items;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await dynamo.stop();
  }
}

interface Filling {
  readonly checkout: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

function fill({ checkout, file, env }: Filling): void {
  const program = join(import.meta.dirname, "fill-stage-in-process.ts");
  const filled = spawnSync(process.execPath, ["--no-warnings", program, checkout, file], { encoding: "utf8", env });
  if (filled.status !== 0) throw new Error(`The functions of ${checkout} failed: ${filled.stderr}${filled.stdout}`);
}

/** The settings of ingest and project, of this and of earlier releases. */
function settingsOf(tables: Readonly<Record<string, string>>, endpoint: string): Readonly<Record<string, string>> {
  const queue = "https://sqs.eu-central-1.amazonaws.com/123456789012/queue";
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    OUTLIVE_STAGE: "fixture",
    OUTLIVE_RETENTION_DAYS: "400",
    OUTLIVE_OPEN_MODE: "true",
    OUTLIVE_PACK_SHARDS: "1",
    OUTLIVE_SET_ASIDE_BUCKET: "set-aside",
    OUTLIVE_SEGMENT_QUEUE_URL: queue,
    OUTLIVE_REFOLD_QUEUE_URL: queue,
    OUTLIVE_LOG_TABLE: tables["log"] ?? "",
    OUTLIVE_META_TABLE: tables["meta"] ?? "",
    OUTLIVE_JOBS_TABLE_A: tables["jobsA"] ?? "",
    OUTLIVE_JOBS_TABLE_B: tables["jobsB"] ?? "",
    OUTLIVE_RUNS_TABLE_A: tables["runsA"] ?? "",
    OUTLIVE_RUNS_TABLE_B: tables["runsB"] ?? "",
  };
}

async function itemsOf(client: DynamoDBClient, table: string): Promise<readonly unknown[]> {
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: table }));
  if (LastEvaluatedKey !== undefined) throw new Error(`Table ${table} is too large for a fixture.`);
  return Items.map((item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, textOf(value)])));
}

function textOf(value: AttributeValue): unknown {
  return value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") };
}
