import { requireAccess } from "../../src/aws/access.ts";
import { createDynamoLog } from "../../src/dynamodb/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../src/dynamodb/dynamo-projections.ts";
import type { DynamoRequests } from "../../src/dynamodb/dynamo-requests.ts";
import { createSignedRequests } from "../../src/dynamodb/signed-requests.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { S3Bucket } from "../../src/s3/s3-large-messages.ts";
import { readAwsSettings } from "../../src/runtime/aws-settings.ts";
import type { AllTables, LogTables, ProjectionTables } from "../../src/runtime/function-settings.ts";

/** The stores of a function, over connections that are kept from call to call. */

export interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
  /** Where and as whom AWS is asked, for requests that go elsewhere. */
  readonly asked: Pick<S3Bucket, "region" | "credentials">;
}

export function openLogStores({ log, meta, retentionDays }: LogTables): LogStores {
  const client = openDynamo();
  const access = readAwsSettings(process.env);
  return {
    log: createDynamoLog(client, { table: log, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
    asked: {
      region: async () => requireAccess(access).region,
      credentials: async () => requireAccess(access).credentials,
    },
  };
}

export function openProjectionStores({ jobs, meta, retentionDays }: ProjectionTables): {
  readonly projections: Projections;
  readonly meta: MetaStore;
} {
  const client = openDynamo();
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
  const client = openDynamo();
  const { log, jobs, meta, retentionDays } = tables;
  return {
    log: createDynamoLog(client, { table: log, retentionDays }),
    projections: createDynamoProjections(client, { tables: jobs, retentionDays }),
    meta: createDynamoMetaStore(client, { table: meta, retentionDays }),
  };
}

function openDynamo(): DynamoRequests {
  const { region, credentials, dynamoEndpoint: endpoint } = readAwsSettings(process.env);
  return createSignedRequests({ region, credentials, endpoint });
}
