import { createDynamoClient } from "../../src/dynamodb/dynamo-client.ts";
import { createDynamoLog } from "../../src/dynamodb/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/dynamodb/dynamo-projections.ts";
import type { S3Bucket } from "../../src/s3/s3-large-messages.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { AllTables, LogTables, ProjectionTables } from "../../src/runtime/function-settings.ts";

/** The stores of a function, over one client that keeps its connections from call to call. */

export interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
  /** Where and as whom the client asks, for requests that need no client of their own. */
  readonly asked: Pick<S3Bucket, "region" | "credentials">;
}

export function openLogStores({ log, meta, retentionDays }: LogTables): LogStores {
  const client = createDynamoClient();
  return {
    log: createDynamoLog(client, { table: log, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
    asked: { region: () => client.config.region(), credentials: () => client.config.credentials() },
  };
}

export function openProjectionStores({ jobs, meta, retentionDays }: ProjectionTables): {
  readonly projections: Projections;
  readonly meta: MetaStore;
} {
  const client = createDynamoClient();
  return {
    projections: createDynamoProjections(client, { tables: jobs, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
  };
}

export function openAllStores(tables: AllTables): {
  readonly log: Log;
  readonly projections: Projections;
  readonly meta: MetaStore;
} {
  const client = createDynamoClient();
  const { log, jobs, meta, retentionDays } = tables;
  return {
    log: createDynamoLog(client, { table: log, retentionDays }),
    projections: createDynamoProjections(client, { tables: jobs, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
  };
}
