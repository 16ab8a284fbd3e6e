import type { SegmentQueue } from "../ports/segment-queue.ts";
import { encodeMessageBody } from "./message-body.ts";
import type { MessageQueue } from "./message-queue.ts";

/** Segments as messages: the message group is the cluster, so that a cluster with a backlog does not hold up the others (a fair queue). */
export function createSqsSegmentQueue(queue: MessageQueue): SegmentQueue {
  return {
    send: (segments) =>
      queue.send(segments.map(({ cluster, bytes }) => ({ body: encodeMessageBody(bytes), group: cluster }))),
  };
}
