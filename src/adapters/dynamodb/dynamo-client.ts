import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type ClientIdentity, requestLimits } from "../aws/request-limits.ts";

/** DynamoDB responds within milliseconds, to the largest request (16 MB) within two seconds. */
const REQUEST_MILLIS = 8_000;
const CONNECTION_MILLIS = 2_000;
/** With the SDK's back-off, these attempts take several seconds: enough for a hot partition to split or to recover. */
const ATTEMPTS = 8;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment. Reuse it: it keeps its connections.
 */
export function createDynamoClient(options: ClientIdentity = {}): DynamoDBClient {
  return new DynamoDBClient({
    ...options,
    maxAttempts: ATTEMPTS,
    requestHandler: requestLimits(REQUEST_MILLIS, CONNECTION_MILLIS),
  });
}
