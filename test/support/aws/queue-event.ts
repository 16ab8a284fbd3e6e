import type { SQSEvent } from "aws-lambda";

export interface QueueEventMessage {
  readonly messageId: string;
  readonly body: string;
  /** @default a role's session */
  readonly senderId?: string;
  /** How often it was received, including this time. @default 1 */
  readonly receiveCount?: number;
}

/** An event of a queue, as Lambda's event source mapping sends it. */
export function queueEvent(messages: readonly QueueEventMessage[]): SQSEvent {
  return {
    Records: messages.map(({ messageId, body, senderId = "AROAEXAMPLE:exporter-0", receiveCount = 1 }) => ({
      messageId,
      receiptHandle: `receipt-of-${messageId}`,
      body,
      attributes: {
        ApproximateReceiveCount: `${receiveCount}`,
        SentTimestamp: "1795262400000",
        SenderId: senderId,
        MessageGroupId: "east",
        ApproximateFirstReceiveTimestamp: "1795262400005",
      },
      messageAttributes: {},
      md5OfBody: "d41d8cd98f00b204e9800998ecf8427e",
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:eu-central-1:123456789012:segments",
      awsRegion: "eu-central-1",
    })),
  };
}
