import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type BackOff, fullJitter } from "../aws/back-off.ts";
import type { ProjectionName, Projections } from "../ports/projections.ts";
import { emptyTable } from "./empty-table.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions } from "./dynamo-job-store.ts";

export interface DynamoProjectionsOptions extends Omit<DynamoJobStoreOptions, "table"> {
  readonly tables: Readonly<Record<ProjectionName, string>>;
}

/** Both projections, each in a table of its own. */
export function createDynamoProjections(
  client: DynamoDBClient,
  { tables, ...options }: DynamoProjectionsOptions,
): Projections {
  const backOff: BackOff = options.backOff ?? fullJitter();
  const stores = {
    A: createDynamoJobStore(client, { ...options, backOff, table: tables.A }),
    B: createDynamoJobStore(client, { ...options, backOff, table: tables.B }),
  };
  return {
    open: (name) => stores[name],
    clear: (name, hasTime) => emptyTable({ client, name: tables[name] }, backOff, hasTime),
  };
}
