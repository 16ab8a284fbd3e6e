import { createMessageQueue, type MessageQueue } from "../../src/sqs/message-queue.ts";
import { createSqsClient } from "../../src/sqs/sqs-client.ts";

/** The queue of each receiver, with one client. */
export function deliveryQueues(urls: Readonly<Record<string, string>>): ReadonlyMap<string, MessageQueue> {
  const client = createSqsClient();
  return new Map(Object.entries(urls).map(([receiver, url]) => [receiver, createMessageQueue(client, url)]));
}
