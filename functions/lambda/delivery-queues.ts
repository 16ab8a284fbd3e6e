import type { MessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { queueOnDemand } from "./queue-on-demand.ts";

/** The queue of each receiver. */
export function deliveryQueues(urls: Readonly<Record<string, string>>): ReadonlyMap<string, MessageQueue> {
  return new Map(Object.entries(urls).map(([receiver, url]) => [receiver, queueOnDemand(url)]));
}
