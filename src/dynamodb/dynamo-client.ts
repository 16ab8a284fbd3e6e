import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { requestLimits } from "../aws/request-limits.ts";

/** DynamoDB answers within milliseconds, the largest request (16 MB) within a second or two. */
const REQUEST_MILLIS = 8_000;
const CONNECTION_MILLIS = 2_000;
/** With the SDK's jittered waiting in between some seconds: as long as a partition that was asked too much needs to split or calm down. */
const ATTEMPTS = 8;

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. Keep it: it holds the connections. */
export function createDynamoClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    requestHandler: requestLimits(REQUEST_MILLIS, CONNECTION_MILLIS),
  });
}
