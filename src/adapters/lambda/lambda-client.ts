import { LambdaClient } from "@aws-sdk/client-lambda";
import { requestLimits } from "../aws/request-limits.ts";

/** The invoked functions respond within a minute. */
const REQUEST_MILLIS = 120_000;

/** A client with the SDK's default settings. It does not retry: a lost invocation may have been executed. */
export function createLambdaClient(): LambdaClient {
  return new LambdaClient({
    maxAttempts: 1,
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
