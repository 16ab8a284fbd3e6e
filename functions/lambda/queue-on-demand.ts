import type { MessageQueue } from "../../src/adapters/sqs/message-queue.ts";

/**
 * A queue of the stage, for functions that seldom use it: SQS's client is loaded with the first message, and not
 * whenever the function starts.
 */
export function queueOnDemand(url: string): MessageQueue {
  let opened: Promise<MessageQueue> | undefined;
  const open = (): Promise<MessageQueue> => {
    opened ??= import("./open-queue.ts").then(({ openQueue }) => openQueue(url));
    return opened;
  };
  return {
    send: async (messages) => (await open()).send(messages),
    receive: async (options) => (await open()).receive(options),
    remove: async (messages) => (await open()).remove(messages),
    hide: async (messages) => (await open()).hide(messages),
  };
}
