import { SSMClient } from "@aws-sdk/client-ssm";
import { requestLimits } from "../aws/request-limits.ts";

const REQUEST_MILLIS = 5_000;
/**
 * Parameter Store answers 40 requests per second of an account and region (AWS General Reference, "Systems Manager
 * endpoints and quotas"). The SDK repeats throttled requests with increasing pauses.
 */
const ATTEMPTS = 5;

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createSsmClient(): SSMClient {
  return new SSMClient({ maxAttempts: ATTEMPTS, requestHandler: requestLimits(REQUEST_MILLIS) });
}
