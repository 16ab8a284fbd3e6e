import { LambdaClient } from "@aws-sdk/client-lambda";

/** A function runs for 15 minutes at most; those that are called from here are done within one. */
const REQUEST_MILLIS = 120_000;
const CONNECTION_MILLIS = 3_000;

/** A client with the SDK's standard settings. It sends a call once: one that was lost may have been carried out. */
export function createLambdaClient(): LambdaClient {
  return new LambdaClient({
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECTION_MILLIS,
      requestTimeout: REQUEST_MILLIS,
      throwOnRequestTimeout: true,
    },
  });
}
