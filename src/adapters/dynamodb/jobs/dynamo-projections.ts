import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions } from "./dynamo-job-store.ts";
import { EARLIEST } from "../../../job/model/instant.ts";
import { writeCoverage } from "./wide-coverage.ts";
import { emptyTable } from "./empty-table.ts";

export interface DynamoProjectionsOptions extends Omit<DynamoJobStoreOptions, "table"> {
  readonly tables: Readonly<Record<ProjectionName, string>>;
}

/** Both projections, each in its own table. */
export function createDynamoProjections(
  client: DynamoDBClient,
  { tables, ...options }: DynamoProjectionsOptions,
): Projections {
  const { retry = batchRetry(), now = Date.now } = options;
  const stores = {
    A: createDynamoJobStore(client, { ...options, retry, table: tables.A }),
    B: createDynamoJobStore(client, { ...options, retry, table: tables.B }),
  };
  return {
    open: (name) => stores[name],
    clear: async (name, hasTime) => {
      const table = { client, name: tables[name] };
      const cleared = await emptyTable(table, { retry, hasTime });
      // From now on, every write reaches the wide lists, and long-lived Jobs enter their own class at once.
      if (cleared === "empty") await writeCoverage(table, { since: EARLIEST, sweptTo: now(), isConverted: true }, 0);
      return cleared;
    },
  };
}
