import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ExternalRun, JobStore, RunStore } from "../../../ports/jobs.ts";
import { batchRetry } from "../../aws/batch-retry.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions } from "./dynamo-job-store.ts";
import { readPlacedList } from "./job-lists.ts";

/** One projection of runs in a DynamoDB table. */
export function createDynamoRunStore(
  client: DynamoDBClient,
  options: Omit<DynamoJobStoreOptions, "content">,
): JobStore & RunStore {
  const { table: name, retry = batchRetry() } = options;
  return {
    ...createDynamoJobStore(client, { ...options, content: "runs" }),
    /** Two requests: the index, and up to 100 rows. */
    listByExternalId: (externalId, limit): Promise<readonly ExternalRun[]> =>
      readPlacedList({ client, name }, { index: "external", partitions: [externalId] }, { options: { limit }, retry }),
  };
}
