import { SQSClient } from "@aws-sdk/client-sqs";
import { type ClientIdentity, requestLimits } from "../aws/request-limits.ts";

/** Long polling keeps a request open for up to 20 s: SQS's own limit. */
const REQUEST_MILLIS = 30_000;
/** With the SDK's back-off, five attempts take several seconds, which is longer than brief throttling. */
const ATTEMPTS = 5;

export interface SqsClientOptions extends ClientIdentity {
  /** The number of attempts of a request. @default 5 */
  readonly attempts?: number;
  /** The timeout of an attempt in milliseconds. @default 30,000 */
  readonly requestMillis?: number;
}

/**
 * A client with the SDK's default settings: region, credentials and endpoint (`AWS_ENDPOINT_URL`) are in the
 * environment. Reuse it: it keeps its connections.
 */
export function createSqsClient({
  attempts = ATTEMPTS,
  requestMillis = REQUEST_MILLIS,
  ...identity
}: SqsClientOptions = {}): SQSClient {
  return new SQSClient({ ...identity, maxAttempts: attempts, requestHandler: requestLimits(requestMillis) });
}
