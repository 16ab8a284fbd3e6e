import { createDynamoClient } from "../../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/adapters/dynamodb/dynamo-meta-store.ts";
import {
  createDynamoProjections,
  type DynamoProjections,
} from "../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import { HOLD_SOURCES } from "../../src/host/optional/hold-sources.ts";
import type { S3Bucket } from "../../src/adapters/s3/s3-large-messages.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { AllTables, LogTables, ProjectionTables } from "../../src/ports/deployment/settings/function-settings.ts";
import { cachedRetention } from "../../src/upkeep/retention/cached-retention.ts";

export interface LogStores {
  readonly log: Log;
  /** The same; what a restore appends is kept 30 days longer than Jobs, because a replay must project it first. */
  readonly restoredLog: Log;
  readonly meta: MetaStore;
  /** Region and credentials, for requests without an SDK client. */
  readonly aws: Pick<S3Bucket, "region" | "credentials">;
}

export interface ProjectionStores {
  readonly projections: DynamoProjections;
  readonly meta: MetaStore;
}

export interface AllStores extends ProjectionStores {
  readonly log: Log;
}

/** The stores of the ingest function, with one client that keeps its connections. */
export function openLogStores({ log, meta, retentionDays, logDays }: LogTables): LogStores {
  const client = createDynamoClient();
  return {
    log: createDynamoLog(client, { table: log, retentionDays, logDays }),
    restoredLog: createDynamoLog(client, { table: log, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
    aws: { region: () => client.config.region(), credentials: () => client.config.credentials() },
  };
}

/** The stores of a function that receives log items in its events. */
export function openProjectionStores(tables: ProjectionTables): ProjectionStores {
  return projectionStores(createDynamoClient(), tables);
}

/** The stores of a function that reads the log. */
export function openAllStores(tables: AllTables): AllStores {
  const client = createDynamoClient();
  const { log, retentionDays } = tables;
  return { ...projectionStores(client, tables), log: createDynamoLog(client, { table: log, retentionDays }) };
}

function projectionStores(
  client: ReturnType<typeof createDynamoClient>,
  { jobs, runs, meta, retentionDays }: ProjectionTables,
): ProjectionStores {
  const records = createDynamoMetaStore(client, { table: meta, retentionDays });
  const retention = cachedRetention({ meta: records, holds: HOLD_SOURCES }, retentionDays);
  const tables = { tables: jobs, runTables: runs };
  return { projections: createDynamoProjections(client, { ...tables, retentionDays, retention }), meta: records };
}
