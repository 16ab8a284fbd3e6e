import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type AttributeValue,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import type { Eraser, StateEraser } from "../../../ports/erasing/eraser.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import type { LogItem, LogPack } from "../../../ports/log.ts";
import type { MetaKind } from "../../../ports/meta.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { hourPartition } from "../../../segment/pack-key.ts";
import { bytes, type Item, number, textOf } from "../attribute.ts";
import { deleteItem, type DynamoTable, type ItemKey, keyOf, named, queryPage } from "../dynamo-table.ts";
import { jobPartition, stateKey, jobOfPartition } from "../jobs/job-item.ts";
import { encodePack } from "../log/pack-bytes.ts";
import { metaPartitions } from "../meta-partition.ts";
import { unlistJobs } from "./unlist-jobs.ts";
import { type ClusterName, decodeJobUid, type JobUid } from "../../../job/model/ids.ts";

export interface EraserTables {
  readonly log: string;
  readonly jobs: Readonly<Record<ProjectionName, string>>;
  readonly runs: Readonly<Record<ProjectionName, string>>;
  readonly meta: string;
}

/**
 * Removes data from the tables of a stage. What DynamoDB guarantees and keeps (Developer Guide):
 *
 * - An update or a deletion is final for all reads of the table. Its indexes follow within milliseconds.
 * - The stream of a table keeps earlier versions of items for 24 hours. It cannot be edited.
 * - Point-in-time recovery keeps what a table was for 35 days, and backups for as long as they were made for. They
 *   cannot be edited either: the erasures are applied to what is restored from them.
 * - An item has at most 400 KB. A pack has 16 KB, or one segment of up to 64 KiB. The remains of a segment name the
 *   erasures that removed facts from it, which takes some hundred bytes.
 */
export function createDynamoEraser(
  client: DynamoDBClient,
  tables: EraserTables,
): Required<Omit<Eraser, "notices" | "metrics" | "purge" | "runs">> & { readonly runs: Required<StateEraser> } {
  const log: DynamoTable = { client, name: tables.log };
  const meta: DynamoTable = { client, name: tables.meta };
  return {
    replaceItem: ({ key, bytes: segment, factCount }: LogItem) =>
      replace(log, key, { segment: bytes(segment), facts: number(factCount) }),
    replacePack: ({ hour, sk, items }: LogPack) =>
      replace(log, { pk: hourPartition(hour), sk }, { pack: bytes(encodePack(items)) }),
    removeRecord: (kind, key) => removeRecord(meta, kind, key),
    ...stateEraser(client, tables.jobs),
    runs: stateEraser(client, tables.runs),
  };
}

function stateEraser(client: DynamoDBClient, names: EraserTables["jobs"]): Required<StateEraser> {
  const tableOf = (projection: ProjectionName): DynamoTable => ({ client, name: names[projection] });
  return {
    storedJobs: (projection, cluster) => storedJobs(tableOf(projection), cluster),
    removeJob: (projection, key) => removeJob(tableOf(projection), key),
    unlistJobs: (projection, isErased) => unlistJobs(tableOf(projection), isErased),
  };
}

/**
 * Replaces attributes of an item that exists: its expiry and its hash stay. The policy of the log's table allows
 * UpdateItem to the role of erasures only, and no other change.
 */
async function replace(table: DynamoTable, key: ItemKey, attributes: Item): Promise<void> {
  const names = Object.keys(attributes);
  const update = new UpdateItemCommand({
    TableName: table.name,
    Key: keyOf(key),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [`:${name}`, value]),
    ),
  });
  await named(table.name, async () => {
    try {
      await table.client.send(update);
    } catch (cause) {
      // The item has expired since it was read.
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    }
  });
}

/** Deletes from the earlier partition first. Otherwise its record would become visible when the current one is gone. */
async function removeRecord(table: DynamoTable, kind: MetaKind, key: string): Promise<void> {
  const { current, earlier } = metaPartitions(kind, key);
  for (const pk of [...(earlier === undefined ? [] : [earlier]), current]) await deleteItem(table, { pk, sk: key });
}

/** Items per query: a query also ends after 1 MB. */
const PAGE = 500;

/** Deletes the state of a Job first: without it, no reader requests its pages. */
async function removeJob(table: DynamoTable, key: JobKey): Promise<void> {
  await deleteItem(table, stateKey(key));
  const partition = jobPartition(key);
  let startKey: Item | undefined;
  do {
    const page = await queryPage(table, { partitionKey: "pk", partition, sortKey: "sk", startKey }, PAGE);
    for (const item of page.items) await deleteItem(table, { pk: partition, sk: textOf(item, "sk") });
    startKey = page.last;
  } while (startKey !== undefined);
}

/**
 * The Jobs of a cluster in a table, in any order: listed Jobs, unlisted ones, and those of which only pages are left.
 * No index contains all of them, so the whole table is scanned. A strongly consistent scan costs one read unit per 4
 * KB, whatever it returns; a page of it has 1 MB.
 */
async function* storedJobs(table: DynamoTable, cluster: ClusterName): AsyncGenerator<JobUid> {
  let before: string | undefined;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await scanKeys(table, cluster, from);
    for (const item of Items) {
      const partition = textOf(item, "pk");
      const uid = decodeJobUid(jobOfPartition(partition));
      // The items of a partition follow each other.
      if (uid !== undefined && partition !== before) yield uid;
      before = partition;
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function scanKeys(table: DynamoTable, cluster: ClusterName, from: Record<string, AttributeValue> | undefined) {
  const scan = new ScanCommand({
    TableName: table.name,
    ConsistentRead: true,
    ProjectionExpression: "pk",
    FilterExpression: "begins_with(pk, :cluster)",
    ExpressionAttributeValues: { ":cluster": { S: `${cluster}#` } },
    ...(from && { ExclusiveStartKey: from }),
  });
  return named(table.name, () => table.client.send(scan));
}
