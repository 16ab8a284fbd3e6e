import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { ProjectionName, Projections } from "../../ports/projections.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions } from "./dynamo-job-store.ts";
import { emptyTable } from "./empty-table.ts";

export interface DynamoProjectionsOptions extends Omit<DynamoJobStoreOptions, "table"> {
  readonly tables: Readonly<Record<ProjectionName, string>>;
}

/** Both projections, each in its own table. */
export function createDynamoProjections(
  client: DynamoDBClient,
  { tables, ...options }: DynamoProjectionsOptions,
): Projections {
  const { retry = batchRetry() } = options;
  const stores = {
    A: createDynamoJobStore(client, { ...options, retry, table: tables.A }),
    B: createDynamoJobStore(client, { ...options, retry, table: tables.B }),
  };
  return {
    open: (name) => stores[name],
    clear: (name, hasTime) => emptyTable({ client, name: tables[name] }, { retry, hasTime }),
  };
}
