import { DEFAULT_RETENTION_DAYS } from "../../src/ports/deployment/retention.ts";
import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import type { MetaStore } from "../../src/ports/meta.ts";

/**
 * The metadata store of a deployment on AWS. Its expiring records have the default retention, even if the deployment
 * retains Jobs for longer.
 */
export function deployedMeta(table: string): MetaStore {
  return createDynamoMetaStore(createDynamoClient(), { table, retentionDays: DEFAULT_RETENTION_DAYS });
}
