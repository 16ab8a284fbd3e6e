import { createMessageQueue, type MessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { createSqsClient } from "../../src/adapters/sqs/sqs-client.ts";

let client: ReturnType<typeof createSqsClient> | undefined;

/** A queue of the stage. All share one client, which keeps its connections. */
export function openQueue(url: string): MessageQueue {
  client ??= createSqsClient();
  return createMessageQueue(client, url);
}
