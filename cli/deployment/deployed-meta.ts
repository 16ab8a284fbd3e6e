import { createDynamoClient } from "../../src/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../src/dynamodb/dynamo-meta-store.ts";
import type { MetaStore } from "../../src/ports/meta.ts";

/** For records that expire at all. A deployment may keep its Jobs for longer; what a command writes of them is then kept this long. */
const RETENTION_DAYS = 400;

/** The records of a deployment on AWS. */
export function deployedMeta(table: string): MetaStore {
  return createDynamoMetaStore(createDynamoClient(), { table, retentionDays: RETENTION_DAYS });
}
