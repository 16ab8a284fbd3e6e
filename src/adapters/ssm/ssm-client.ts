import { SSMClient } from "@aws-sdk/client-ssm";
import { requestLimits } from "../aws/request-limits.ts";

/**
 * Parameter Store answers 40 requests per second of an account and region (AWS General Reference, "Systems Manager
 * endpoints and quotas"). The SDK repeats throttled requests with increasing pauses.
 */
export interface SsmLimits {
  readonly attempts: number;
  readonly requestMillis: number;
}

const OF_COMMANDS: SsmLimits = { attempts: 5, requestMillis: 5_000 };

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment.
 */
export function createSsmClient({ attempts, requestMillis } = OF_COMMANDS): SSMClient {
  return new SSMClient({ maxAttempts: attempts, requestHandler: requestLimits(requestMillis) });
}
