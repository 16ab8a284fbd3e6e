import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll } from "vitest";
import { DYNAMO_LOCAL_START_MILLIS, type DynamoLocal, startDynamoLocal } from "./dynamodb-local.ts";

/** DynamoDB Local while the tests of a `describe` run. */
export interface UsedDynamoLocal extends Pick<DynamoLocal, "endpoint" | "createTable"> {
  /** The client that the tests share. */
  readonly client: DynamoDBClient;
  /** A new client. */
  readonly openClient: DynamoLocal["client"];
}

/** Starts DynamoDB Local before the tests of the `describe` that calls it, and stops it after them. */
export function useDynamoLocal(): UsedDynamoLocal {
  let running: { readonly dynamo: DynamoLocal; readonly client: DynamoDBClient } | undefined;
  beforeAll(async () => {
    const dynamo = await startDynamoLocal();
    running = { dynamo, client: dynamo.client() };
  }, DYNAMO_LOCAL_START_MILLIS);
  afterAll(() => running?.dynamo.stop());
  const started = () => {
    if (running === undefined) throw new Error("DynamoDB Local is not running yet. Use it in a hook or a test.");
    return running;
  };
  return {
    get client() {
      return started().client;
    },
    get endpoint() {
      return started().dynamo.endpoint;
    },
    openClient: (config) => started().dynamo.client(config),
    createTable: (schema) => started().dynamo.createTable(schema),
  };
}
