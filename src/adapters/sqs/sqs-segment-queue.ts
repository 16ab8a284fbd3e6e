import type { SegmentQueue } from "../../ports/segment-queue.ts";
import { encodeMessageBody } from "./message-body.ts";
import type { MessageQueue } from "./message-queue.ts";

/**
 * Segments as messages. The message group is the cluster, so that the backlog of one cluster does not delay others
 * (fair queues).
 */
export function createSqsSegmentQueue(queue: MessageQueue): SegmentQueue {
  return {
    send: (segments) =>
      queue.send(segments.map(({ cluster, bytes }) => ({ body: encodeMessageBody(bytes), group: cluster }))),
  };
}
