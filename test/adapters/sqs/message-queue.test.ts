import { createHash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { createMessageQueue } from "../../../src/adapters/sqs/message-queue.ts";
import { createSqsSegmentQueue } from "../../../src/adapters/sqs/sqs-segment-queue.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { failure, type ScriptedAnswer, scripted, success } from "../../support/aws/scripted-answers.ts";

const URL = "https://sqs.eu-central-1.amazonaws.com/000000000000/segments";

interface SentBatch {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string; readonly MessageGroupId?: string }[];
}

/** A queue with scripted responses, and the requests that it received. */
function queueAnswering(...answers: readonly (ScriptedAnswer | Error)[]) {
  const { config, requests } = scripted(answers);
  const pauses: number[] = [];
  const retry = { attempts: 3, pause: async (count: number) => void pauses.push(count) };
  return { queue: createMessageQueue(new SQSClient(config), URL, retry), requests: requests as SentBatch[], pauses };
}

const md5 = (body: string) => createHash("md5").update(body).digest("hex");
const taken = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([Id, body]) => ({ Id, MessageId: `m-${Id}`, MD5OfMessageBody: md5(body) }));
const left = (Id: string, Code: string, SenderFault = false) => ({ Id, Code, SenderFault, Message: "said so" });

describe("sending messages", () => {
  it("sends batches of ten, each message with its group", async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => `body-${index}`);
    const first = Object.fromEntries(bodies.slice(0, 10).map((body, index) => [`${index}`, body]));
    const { queue, requests } = queueAnswering(
      success({ Successful: taken(first) }),
      success({ Successful: taken({ 0: "body-10", 1: "body-11" }) }),
    );
    const sent = await queue.send(bodies.map((body) => ({ body, group: "east" })));
    expect(sent).toEqual(bodies.map(() => ({ outcome: "accepted" })));
    expect(requests.map(({ Entries }) => Entries.length)).toEqual([10, 2]);
    expect(requests[0]?.Entries[0]).toEqual({ Id: "0", MessageBody: "body-0", MessageGroupId: "east" });
  });

  it("lets SQS delay messages", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "a" }) }));
    await queue.send([{ body: "a", delaySeconds: 1 }]);
    expect(requests[0]?.Entries).toEqual([{ Id: "0", MessageBody: "a", DelaySeconds: 1 }]);
  });

  it.each([
    ["that exactly fill a request are sent in one", [1_048_570, 6], [2]],
    ["with one byte more are sent in two requests", [1_048_570, 7], [1, 1]],
  ])("messages %s", async (_, sizes, requestSizes) => {
    const bodies = sizes.map((size) => "x".repeat(size));
    const { queue, requests } = queueAnswering(
      ...(requestSizes.length === 1
        ? [success({ Successful: taken({ 0: bodies[0] ?? "", 1: bodies[1] ?? "" }) })]
        : bodies.map((body) => success({ Successful: taken({ 0: body }) }))),
    );
    expect((await queue.send(bodies.map((body) => ({ body })))).map(({ outcome }) => outcome)).toEqual([
      "accepted",
      "accepted",
    ]);
    expect(requests.map(({ Entries }) => Entries.length)).toEqual(requestSizes);
  });

  it("refuses messages above SQS's limit without a request, and sends the others", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "short" }) }));
    const sent = await queue.send([{ body: "x".repeat(1_048_577) }, { body: "short" }]);
    expect(sent).toEqual([
      { outcome: "refused", reason: expect.stringMatching(/1048577 bytes.*fewer facts/) as string },
      { outcome: "accepted" },
    ]);
    expect(requests).toHaveLength(1);
  });

  it("retries only failed messages, with the same bytes", async () => {
    const { queue, requests, pauses } = queueAnswering(
      success({ Successful: taken({ 0: "a", 2: "c" }), Failed: [left("1", "InternalError")] }),
      success({ Successful: taken({ 1: "b" }) }),
    );
    const sent = await queue.send([{ body: "a" }, { body: "b" }, { body: "c" }]);
    expect(sent.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted", "accepted"]);
    expect(requests.map(({ Entries }) => Entries.map(({ MessageBody }) => MessageBody))).toEqual([
      ["a", "b", "c"],
      ["b"],
    ]);
    expect(pauses).toEqual([1]);
  });

  it.each([
    ["refused if the message is invalid", left("0", "InvalidMessageContents", true), "refused", 1],
    [
      "unreachable if the queue's key fails, although SQS blames the sender",
      left("0", "KMS.AccessDeniedException", true),
      "unreachable",
      3,
    ],
    ["unreachable if SQS failed in each attempt", left("0", "InternalError"), "unreachable", 3],
  ])("reports an unsent message as %s", async (_, failed, outcome, requestCount) => {
    const { queue, requests } = queueAnswering(success({ Failed: [failed] }));
    expect(await queue.send([{ body: "a" }])).toEqual([
      { outcome, reason: expect.stringContaining("said so") as string },
    ]);
    expect(requests).toHaveLength(requestCount);
  });

  it("reports a missing queue with a sentence, and does not throw", async () => {
    const { queue } = queueAnswering(failure("QueueDoesNotExist", "The specified queue does not exist."));
    expect(await queue.send([{ body: "a" }])).toEqual([
      {
        outcome: "unreachable",
        reason: expect.stringMatching(/Queue https:.* does not exist.*deploy the stack/) as string,
      },
    ]);
  });

  it("reports messages as accepted that were sent before the connection broke", async () => {
    const bodies = Array.from({ length: 11 }, (_, index) => `${index}`);
    const first = Object.fromEntries(bodies.slice(0, 10).map((body) => [body, body]));
    const { queue } = queueAnswering(
      success({ Successful: taken(first) }),
      Object.assign(new Error("reset"), { code: "ECONNRESET" }),
    );
    const sent = await queue.send(bodies.map((body) => ({ body })));
    expect(sent.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 10 }, () => "accepted"),
      "unreachable",
    ]);
  });
});

describe("sending segments", () => {
  it("uses the cluster as the group, and the base64 bytes as the body", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "AQL/" }) }));
    const segments = createSqsSegmentQueue(queue);
    await segments.send([{ cluster: clusterNamed("east"), bytes: Uint8Array.of(1, 2, 255) }]);
    expect(requests[0]?.Entries).toEqual([{ Id: "0", MessageBody: "AQL/", MessageGroupId: "east" }]);
  });
});

describe("receiving messages", () => {
  it("returns their sender from SQS, and their receive count", async () => {
    const Attributes = {
      SenderId: "AROAEXAMPLE:session",
      SentTimestamp: "1795248000000",
      ApproximateReceiveCount: "3",
      MessageGroupId: "east",
    };
    const message = { MessageId: "m", ReceiptHandle: "r", Body: "AQ==", MD5OfBody: md5("AQ=="), Attributes };
    const { queue } = queueAnswering(success({ Messages: [message] }));
    expect(await queue.receive()).toEqual([
      {
        messageId: "m",
        receipt: "r",
        body: "AQ==",
        senderId: "AROAEXAMPLE:session",
        sentAt: 1_795_248_000_000,
        receiveCount: 3,
        group: "east",
      },
    ]);
  });

  it("returns none from an empty queue", async () => {
    const { queue } = queueAnswering(success({}));
    expect(await queue.receive({ limit: 1, waitSeconds: 20, visibilitySeconds: 60 })).toEqual([]);
  });

  it("throws an error with the advice if access is denied", async () => {
    const { queue } = queueAnswering(failure("AccessDenied", "no", 403));
    await expect(queue.receive()).rejects.toMatchObject({ name: "AwsAccessDeniedError" });
  });
});

describe("hiding messages", () => {
  it("sends batches of ten, each message with its own time", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: [] }));
    await queue.hide(Array.from({ length: 11 }, (_, index) => ({ receipt: `r${index}`, seconds: 5 * (index + 1) })));
    expect(requests.map(({ Entries }) => Entries.length)).toEqual([10, 1]);
    expect(requests[1]?.Entries).toEqual([{ Id: "0", ReceiptHandle: "r10", VisibilityTimeout: 55 }]);
  });

  it("throws an error that says when they return if some were not hidden", async () => {
    const { queue } = queueAnswering(success({ Failed: [left("0", "ReceiptHandleIsInvalid", true)] }));
    await expect(queue.hide([{ receipt: "r", seconds: 5 }])).rejects.toThrow(
      /did not hide 1 messages.*return at the queue's own visibility timeout/,
    );
  });
});

describe("removing messages", () => {
  it("removes batches of ten", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: [] }));
    await queue.remove(Array.from({ length: 11 }, (_, index) => ({ receipt: `${index}` })));
    expect(requests.map(({ Entries }) => Entries.length)).toEqual([10, 1]);
  });

  it("throws an error with the queue if some were not removed", async () => {
    const { queue } = queueAnswering(success({ Failed: [left("0", "ReceiptHandleIsInvalid", true)] }));
    await expect(queue.remove([{ receipt: "r" }])).rejects.toThrow(
      /did not delete 1 processed messages.*delivered again/,
    );
  });
});
