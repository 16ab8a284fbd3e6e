import { gzipSync } from "node:zlib";
import type { CloudWatchLogsEvent } from "aws-lambda";

/** A message of a subscription, before it is compressed. */
export function subscriptionMessage(logGroup: string, messages: readonly string[]) {
  return {
    messageType: "DATA_MESSAGE",
    owner: "123456789012",
    logGroup,
    logStream: "kube-apiserver-audit-1a2b",
    subscriptionFilters: ["outlive"],
    logEvents: messages.map((message, index) => ({ id: `${index}`, timestamp: 1_795_262_400_000, message })),
  };
}

/** The event with which CloudWatch Logs invokes a function. */
export function deliveryOf(message: unknown): CloudWatchLogsEvent {
  return { awslogs: { data: gzipSync(JSON.stringify(message)).toString("base64") } };
}

/** The record of an asynchronous invocation that failed, as Lambda sends it to its destination. */
export function failedInvocation(event: object): string {
  return JSON.stringify({
    version: "1.0",
    timestamp: "2026-11-21T12:00:00.000Z",
    requestContext: { condition: "RetriesExhausted", approximateInvokeCount: 3 },
    requestPayload: event,
    responseContext: { statusCode: 200, functionError: "Unhandled" },
  });
}
