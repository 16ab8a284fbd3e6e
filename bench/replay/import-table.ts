// Does ImportTable load what a projection has? A minute of a cluster is projected into a table on MiniStack, one write
// after the other, and folded once into import files. The other table is deleted, and imported under its name. Both
// must have the same items and index entries, and segments that arrive again must change nothing.
// `node bench/replay/import-table.ts`
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeImportCommand,
  DynamoDBClient,
  ImportTableCommand,
  type ImportTableDescription,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoJobStore } from "../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import type { ProjectionName } from "../../src/ports/projections.ts";
import { JOBS_SCHEMA, META_SCHEMA } from "../../src/ports/deployment/tables.ts";
import type { SealedItem } from "../../src/log/ingest-segment.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { jobText, placeOf } from "../../src/upkeep/replay/spread/job-text.ts";
import type { SpreadEntry } from "../../src/upkeep/replay/spread/spread-objects.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { segmentKey } from "../../src/segment/segment-key.ts";
import { startEmulator } from "../../test/emulators/emulator.ts";
import { tableOf } from "../../test/support/aws/dynamodb-local.ts";
import { replayCluster } from "../fleet/replay-cluster.ts";
import { type Measure, report } from "../measuring/measure.ts";
import { byJob, importLine, itemOf, joinPartials, partialStates } from "./fold-once.ts";

const TABLES = { A: "jobs-A", B: "jobs-B" } as const;
const BUCKET = "rebuild";
const PREFIX = "import/";
/** Four buckets. */
const DIVISION = { bits: 2, parts: 1 };
/** Segments that are projected together, and segments of a unit. */
const BATCH = 20;
const UNIT = 50;
/** Set by each write, and by its time. */
const BY_WRITE = ["version", "ttl"];
const retry = { attempts: 5, pause: async () => undefined };

const emulator = await startEmulator("ministack", {});
const { endpoint } = emulator;
const options = { endpoint, region: "eu-central-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } };
const client = new DynamoDBClient(options);
const s3 = new S3Client({ ...options, forcePathStyle: true });
try {
  report(await compare());
} finally {
  emulator.stop();
}

async function compare(): Promise<readonly Measure[]> {
  for (const name of Object.values(TABLES)) await client.send(new CreateTableCommand(tableOf(name, JOBS_SCHEMA)));
  await client.send(new CreateTableCommand(tableOf("meta", META_SCHEMA)));
  const segments = replayCluster({ cluster: "fleet-001", rate: 2, seconds: 60 }).sent.map(({ bytes }) => opened(bytes));
  await project("A", segments);
  const lines = await writeFiles(await spread(segments));
  const imported = await importTable();
  const different = await differences();
  const before = await itemsOf(TABLES.B);
  await project("B", segments.slice(-UNIT));
  const changed = countDifferent(before, await itemsOf(TABLES.B));
  return [
    { name: "import: Jobs", value: lines, unit: "Jobs" },
    { name: "import: items that were imported", value: imported.ImportedItemCount ?? 0, unit: "items" },
    { name: "import: errors", value: imported.ErrorCount ?? 0, unit: "errors", goal: "<= 0" },
    { name: "import: items and index entries that differ", value: different, unit: "items", goal: "<= 0" },
    { name: "import: items that change when segments arrive again", value: changed, unit: "items", goal: "<= 0" },
  ];
}

function opened(bytes: Uint8Array): SealedItem {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const { segment, sha256 } = decoded;
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length, segment };
}

async function project(into: ProjectionName, segments: readonly SealedItem[]): Promise<void> {
  const meta = createDynamoMetaStore(client, { table: "meta", retentionDays: 400 });
  const jobs = createDynamoJobStore(client, { table: TABLES[into], retentionDays: 400 });
  for (let begin = 0; begin < segments.length; begin += BATCH) {
    const { refold } = await projectSegments({ jobs, meta }, segments.slice(begin, begin + BATCH), retry);
    if (refold.length > 0) throw new Error("A segment was not projected.", { cause: refold[0]?.cause });
  }
}

async function spread(segments: readonly SealedItem[]): Promise<readonly SpreadEntry[]> {
  const meta = createDynamoMetaStore(client, { table: "meta", retentionDays: 400 });
  const partials: SpreadEntry[] = [];
  for (let begin = 0; begin < segments.length; begin += UNIT) {
    partials.push(...(await partialStates(meta, segments.slice(begin, begin + UNIT))));
  }
  return partials;
}

/** Writes a file for each bucket. Returns the number of Jobs. */
async function writeFiles(partials: readonly SpreadEntry[]): Promise<number> {
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  let jobs = 0;
  for (let bucket = 0; bucket < 2 ** DIVISION.bits; bucket += 1) {
    const lines: string[] = [];
    const some = partials.filter(([key]) => placeOf(jobText(key), DIVISION).bucket === bucket);
    for (const [key, own] of byJob(some)) {
      lines.push(importLine(itemOf(key, await joinPartials(key, own), Date.now())));
    }
    jobs += lines.length;
    const Key = `${PREFIX}${bucket}.json.gz`;
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: gzipSync(lines.join("")) }));
  }
  return jobs;
}

/** Deletes the table, and imports it under its name. */
async function importTable(): Promise<ImportTableDescription> {
  await client.send(new DeleteTableCommand({ TableName: TABLES.B }));
  const { StreamSpecification: _, ...parameters } = tableOf(TABLES.B, JOBS_SCHEMA);
  const command = new ImportTableCommand({
    S3BucketSource: { S3Bucket: BUCKET, S3KeyPrefix: PREFIX },
    InputFormat: "DYNAMODB_JSON",
    InputCompressionType: "GZIP",
    TableCreationParameters: parameters,
  });
  let { ImportTableDescription: described } = await client.send(command);
  while (described?.ImportStatus === "IN_PROGRESS") {
    await setTimeout(200);
    const describe = new DescribeImportCommand({ ImportArn: described.ImportArn });
    ({ ImportTableDescription: described } = await client.send(describe));
  }
  if (described?.ImportStatus !== "COMPLETED") throw new Error(`The import ended: ${described?.FailureMessage}`);
  return described;
}

async function differences(): Promise<number> {
  let different = countDifferent(await itemsOf(TABLES.A), await itemsOf(TABLES.B));
  for (const { name } of JOBS_SCHEMA.indexes) {
    different += countDifferent(await itemsOf(TABLES.A, name), await itemsOf(TABLES.B, name));
  }
  return different;
}

/** The items of a table or index as text, by their keys. */
async function itemsOf(TableName: string, IndexName?: string): Promise<ReadonlyMap<string, string>> {
  const items = new Map<string, string>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ...(IndexName && { IndexName }) })) {
    for (const item of Items) items.set(`${item["pk"]?.S} ${item["sk"]?.S}`, textOf(item));
  }
  return items;
}

function textOf(item: Record<string, AttributeValue>): string {
  const attributes = Object.entries(item).filter(([name]) => !BY_WRITE.includes(name));
  return JSON.stringify(
    attributes
      .map(([name, { S, N, B }]) => [name, S ?? N ?? Buffer.from(B ?? []).toString("base64")] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function countDifferent(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): number {
  const keys = new Set([...some.keys(), ...others.keys()]);
  return [...keys].filter((key) => some.get(key) !== others.get(key)).length;
}
