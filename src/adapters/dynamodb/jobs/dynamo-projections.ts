import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { IdleJobs } from "../../../ports/projections.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import { createDynamoRunStore } from "./dynamo-run-store.ts";
import { createDynamoIdleJobs } from "./dynamo-idle-jobs.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions, retentionOf } from "./dynamo-job-store.ts";

export interface DynamoProjectionsOptions extends Omit<DynamoJobStoreOptions, "table" | "content"> {
  readonly tables: Readonly<Record<ProjectionName, string>>;
  /** Those of runs, in the same form. */
  readonly runTables: Readonly<Record<ProjectionName, string>>;
}

export interface DynamoProjections extends Projections {
  /** The projection that a replay corrects. */
  readonly idle: (name: ProjectionName) => IdleJobs;
  /** Its runs. */
  readonly idleRuns: (name: ProjectionName) => IdleJobs;
}

/** Both projections, each in two tables of its own. */
export function createDynamoProjections(
  client: DynamoDBClient,
  { tables, runTables, ...options }: DynamoProjectionsOptions,
): DynamoProjections {
  const { retry = batchRetry(), now = Date.now } = options;
  const stores = {
    A: createDynamoJobStore(client, { ...options, retry, table: tables.A }),
    B: createDynamoJobStore(client, { ...options, retry, table: tables.B }),
  };
  const runs = {
    A: createDynamoRunStore(client, { ...options, retry, table: runTables.A }),
    B: createDynamoRunStore(client, { ...options, retry, table: runTables.B }),
  };
  const retention = retentionOf(options);
  return {
    open: (name) => stores[name],
    runs: (name) => runs[name],
    idle: (name) => createDynamoIdleJobs({ client, name: tables[name] }, { retention, now, states: stores[name] }),
    idleRuns: (name) => createDynamoIdleJobs({ client, name: runTables[name] }, { retention, now, states: runs[name] }),
  };
}
