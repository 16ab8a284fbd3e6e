import { describe, expect, it } from "vitest";
import type { LogKey } from "../../../src/ports/log.ts";
import type { SendOutcome } from "../../../src/ports/segment-queue.ts";
import type { OutgoingMessage } from "../../../src/adapters/sqs/message-queue.ts";
import { createSqsRefoldQueue, decodeRefoldMessage } from "../../../src/adapters/sqs/sqs-refold-queue.ts";

const key: LogKey = { pk: "east#20261121", sk: "2026-11-21T12:00:00.000Z#0123456789abcdef#0000000001" };

function queueThat(outcome: SendOutcome) {
  const sent: OutgoingMessage[] = [];
  const send = async (messages: readonly OutgoingMessage[]) => {
    sent.push(...messages);
    return messages.map(() => outcome);
  };
  return { sent, queue: createSqsRefoldQueue({ send }) };
}

describe("log keys in the refold queue", () => {
  it("are one message each, which decodes to the key", async () => {
    const { sent, queue } = queueThat({ outcome: "accepted" });
    await queue.send([key, { ...key, sk: "other" }]);
    expect(sent.map(({ body }) => decodeRefoldMessage(body))).toEqual([key, { ...key, sk: "other" }]);
    expect(sent.every((message) => !("delaySeconds" in message))).toBe(true);
  });

  it("are delayed if requested", async () => {
    const { sent, queue } = queueThat({ outcome: "accepted" });
    await queue.send([key], { afterSeconds: 1 });
    expect(sent[0]?.delaySeconds).toBe(1);
  });

  it("are rejected with the reason of the queue", async () => {
    const { queue } = queueThat({ outcome: "unreachable", reason: "The queue is down." });
    await expect(queue.send([key])).rejects.toThrow(
      /did not accept 1 log keys\. The first reason: The queue is down\.$/,
    );
  });
});
