import { createDynamoClient } from "../src/dynamodb/dynamo-client.ts";
import { createTableExpiry } from "../src/dynamodb/table-expiry.ts";
import { JOBS_SCHEMA, LOG_SCHEMA } from "../src/deployment/tables.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { readRetainSettings } from "../src/runtime/function-settings.ts";
import { onRetain } from "./events/retain-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openMetaStore } from "./lambda/stores.ts";

const { stage, tables } = readRetainSettings(process.env);
const runtime = openRuntime("retain", stage);
const client = createDynamoClient();
const expiring = [
  { name: tables.log, attribute: LOG_SCHEMA.expiry },
  { name: tables.jobs.A, attribute: JOBS_SCHEMA.expiry },
  { name: tables.jobs.B, attribute: JOBS_SCHEMA.expiry },
];
const dependencies = {
  ...runtime,
  meta: openMetaStore(tables),
  expiries: expiring.map((table) => createTableExpiry(client, table)),
  clock: systemClock,
};

export const handler = handlerOf(runtime, () => onRetain(dependencies));
