import type { SQSClient } from "@aws-sdk/client-sqs";

/**
 * Milliseconds by which AWS's clock is ahead of this machine's. The SDK learns it from the Date header of answers and corrects its signatures by it, where the two
 * are more than five minutes apart; 0 else.
 */
export function queueAhead(client: SQSClient): number {
  return client.config.systemClockOffset;
}
