import { DEFAULT_RETENTION_DAYS } from "../../src/deployment/retention.ts";
import { createDynamoClient } from "../../src/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../src/dynamodb/dynamo-meta-store.ts";
import type { MetaStore } from "../../src/ports/meta.ts";

/**
 * The records of a deployment on AWS. Records that expire are kept for the default time, even where the deployment keeps its
 * Jobs for longer.
 */
export function deployedMeta(table: string): MetaStore {
  return createDynamoMetaStore(createDynamoClient(), { table, retentionDays: DEFAULT_RETENTION_DAYS });
}
