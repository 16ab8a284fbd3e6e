import type { SQSClient } from "@aws-sdk/client-sqs";

/**
 * Milliseconds by which AWS's clock is ahead of this machine's. The SDK reads it from the Date header of responses if
 * the clocks differ by more than five minutes, and corrects its signatures; otherwise it is 0.
 */
export function queueAhead(client: SQSClient): number {
  return client.config.systemClockOffset;
}
