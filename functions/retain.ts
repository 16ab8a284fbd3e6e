import type { Context } from "aws-lambda";
import { createDynamoClient } from "../src/adapters/dynamodb/dynamo-client.ts";
import { createDynamoJobExpiries } from "../src/adapters/dynamodb/jobs/dynamo-job-expiries.ts";
import { HOLD_SOURCES } from "../src/host/optional/hold-sources.ts";
import { createTableExpiry } from "../src/adapters/dynamodb/dynamo-table-expiry.ts";
import { JOBS_SCHEMA, LOG_SCHEMA, RUNS_SCHEMA } from "../src/ports/deployment/tables.ts";
import type { ProjectionName } from "../src/ports/projections.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onRetain } from "./events/retain-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openMetaStore } from "./lambda/open-meta-store.ts";

const { stage, tables } = readFunctionSettings("retain", process.env);
const runtime = openRuntime("retain", stage);
const client = createDynamoClient();
const expiring = [
  { name: tables.log, attribute: LOG_SCHEMA.expiry },
  { name: tables.jobs.A, attribute: JOBS_SCHEMA.expiry },
  { name: tables.jobs.B, attribute: JOBS_SCHEMA.expiry },
  { name: tables.runs.A, attribute: RUNS_SCHEMA.expiry },
  { name: tables.runs.B, attribute: RUNS_SCHEMA.expiry },
];
const expiriesOf = (projection: ProjectionName) => ({
  jobs: createDynamoJobExpiries(client, { table: tables.jobs[projection] }),
  runs: createDynamoJobExpiries(client, { table: tables.runs[projection], content: "runs" }),
});
const dependencies = {
  ...runtime,
  meta: openMetaStore(tables),
  holds: HOLD_SOURCES,
  tables: expiring.map((table) => createTableExpiry(client, table)),
  expiries: {
    A: expiriesOf("A"),
    B: expiriesOf("B"),
  },
  standardDays: tables.retentionDays,
  clock: systemClock,
};

export const handler = handlerOf(runtime, (event: unknown, context: Context) => onRetain(dependencies, event, context));
