import { afterAll, beforeAll, describe } from "vitest";
import { createDynamoJobStore } from "../../src/dynamodb/dynamo-job-store.ts";
import { createDynamoLog } from "../../src/dynamodb/dynamo-log.ts";
import { createDynamoMetaStore } from "../../src/dynamodb/dynamo-meta-store.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, META_SCHEMA, type TableSchema } from "../../src/dynamodb/table-schemas.ts";
import { describeJobStore } from "../contract/describe-job-store.ts";
import { describeLog } from "../contract/describe-log.ts";
import { describeMetaStore } from "../contract/describe-meta-store.ts";
import { type DynamoLocal, dynamoLocalIsMissing, startDynamoLocal } from "../support/dynamodb-local.ts";

describe.skipIf(dynamoLocalIsMissing)("on DynamoDB Local", () => {
  let dynamo: DynamoLocal;
  beforeAll(async () => {
    dynamo = await startDynamoLocal();
  });
  afterAll(() => dynamo.stop());

  const tableOf = async (schema: TableSchema) => ({
    client: dynamo.client(),
    options: { table: await dynamo.createTable(schema), retentionDays: 400 },
  });

  describeLog("DynamoDB", async () => {
    const { client, options } = await tableOf(LOG_SCHEMA);
    return createDynamoLog(client, options);
  });
  describeJobStore("DynamoDB", async () => {
    const { client, options } = await tableOf(JOBS_SCHEMA);
    return createDynamoJobStore(client, options);
  });
  describeMetaStore("DynamoDB", async () => {
    const { client, options } = await tableOf(META_SCHEMA);
    return createDynamoMetaStore(client, options);
  });
});
