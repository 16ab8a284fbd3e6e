import { SQSClient } from "@aws-sdk/client-sqs";
import { requestLimits } from "../aws/request-limits.ts";

/** Long polling keeps a request open for up to 20 s: SQS's own limit. */
const REQUEST_MILLIS = 30_000;
/** As the SDK waits between them, five take up to some seconds: longer than a throttled moment, shorter than anybody's patience. */
const ATTEMPTS = 5;

export interface SqsClientOptions {
  /** How often a request is made before it is given up. @default 5 */
  readonly attempts?: number;
  /** How long one of them may take, in milliseconds. @default 30,000 */
  readonly requestMillis?: number;
}

/** A client with the SDK's standard settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) come from the environment. Keep it: it holds the connections. */
export function createSqsClient({
  attempts = ATTEMPTS,
  requestMillis = REQUEST_MILLIS,
}: SqsClientOptions = {}): SQSClient {
  return new SQSClient({ maxAttempts: attempts, requestHandler: requestLimits(requestMillis) });
}
