import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import type { AllTables } from "../../src/ports/deployment/settings/function-settings.ts";
import type { MetaStore } from "../../src/ports/meta.ts";

/** The records alone. */
export function openMetaStore({ meta, retentionDays }: Pick<AllTables, "meta" | "retentionDays">): MetaStore {
  return createDynamoMetaStore(createDynamoClient(), { table: meta, retentionDays });
}
