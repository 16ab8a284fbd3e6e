import { LambdaClient } from "@aws-sdk/client-lambda";
import { requestLimits } from "../aws/request-limits.ts";

/** A function runs for 15 minutes at most; those that are called from here are done within one. */
const REQUEST_MILLIS = 120_000;

/** A client with the SDK's standard settings. It sends a call once: one that was lost may have been carried out. */
export function createLambdaClient(): LambdaClient {
  return new LambdaClient({
    maxAttempts: 1,
    requestHandler: requestLimits(REQUEST_MILLIS),
  });
}
