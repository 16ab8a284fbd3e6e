import { createHash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { createMessageQueue } from "../../src/sqs/message-queue.ts";
import { createSqsSegmentQueue } from "../../src/sqs/sqs-segment-queue.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { failure, type ScriptedAnswer, scripted, success } from "../support/aws/scripted-answers.ts";

const URL = "https://sqs.eu-central-1.amazonaws.com/000000000000/segments";

interface SentBatch {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string; readonly MessageGroupId?: string }[];
}

/** A queue whose answers are scripted, and what it was asked. */
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
  it("sends ten at a time, each with its group", async () => {
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

  it("has those that are to wait delayed by SQS", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "a" }) }));
    await queue.send([{ body: "a", delaySeconds: 1 }]);
    expect(requests[0]?.Entries).toEqual([{ Id: "0", MessageBody: "a", DelaySeconds: 1 }]);
  });

  it.each([
    ["that fill a request to the byte together go in one", [1_048_570, 6], [2]],
    ["that are a byte more go in two", [1_048_570, 7], [1, 1]],
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

  it("refuses what is longer than SQS takes without asking, and sends the others", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "short" }) }));
    const sent = await queue.send([{ body: "x".repeat(1_048_577) }, { body: "short" }]);
    expect(sent).toEqual([
      { outcome: "refused", reason: expect.stringMatching(/1048577 bytes.*fewer facts/) as string },
      { outcome: "accepted" },
    ]);
    expect(requests).toHaveLength(1);
  });

  it("sends again, with the same bytes, only what SQS left undone", async () => {
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
    ["for ever, where it is about the message", left("0", "InvalidMessageContents", true), "refused", 1],
    [
      "for now, where it is about the queue's key, though SQS calls it the sender's fault",
      left("0", "KMS.AccessDeniedException", true),
      "unreachable",
      3,
    ],
    ["for now, where SQS failed each time", left("0", "InternalError"), "unreachable", 3],
  ])("tells what was not taken: %s", async (_, failed, outcome, requestCount) => {
    const { queue, requests } = queueAnswering(success({ Failed: [failed] }));
    expect(await queue.send([{ body: "a" }])).toEqual([
      { outcome, reason: expect.stringContaining("said so") as string },
    ]);
    expect(requests).toHaveLength(requestCount);
  });

  it("answers with a sentence, and does not throw, where the queue is not there", async () => {
    const { queue } = queueAnswering(failure("QueueDoesNotExist", "The specified queue does not exist."));
    expect(await queue.send([{ body: "a" }])).toEqual([
      {
        outcome: "unreachable",
        reason: expect.stringMatching(/Queue https:.* does not exist.*deploy the stack/) as string,
      },
    ]);
  });

  it("keeps what was taken before the connection broke", async () => {
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
  it("gives each its cluster as its group, and its bytes as base64", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: taken({ 0: "AQL/" }) }));
    const segments = createSqsSegmentQueue(queue);
    await segments.send([{ cluster: clusterNamed("east"), bytes: Uint8Array.of(1, 2, 255) }]);
    expect(requests[0]?.Entries).toEqual([{ Id: "0", MessageBody: "AQL/", MessageGroupId: "east" }]);
  });
});

describe("receiving messages", () => {
  it("tells who sent them, as SQS knows, and how often they came", async () => {
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

  it("finds none where there is none", async () => {
    const { queue } = queueAnswering(success({}));
    expect(await queue.receive({ limit: 1, waitSeconds: 20, visibilitySeconds: 60 })).toEqual([]);
  });

  it("says what is wrong where it may not", async () => {
    const { queue } = queueAnswering(failure("AccessDenied", "no", 403));
    await expect(queue.receive()).rejects.toMatchObject({ name: "AwsAccessDeniedError" });
  });
});

describe("removing messages", () => {
  it("removes ten at a time", async () => {
    const { queue, requests } = queueAnswering(success({ Successful: [] }));
    await queue.remove(Array.from({ length: 11 }, (_, index) => ({ receipt: `${index}` })));
    expect(requests.map(({ Entries }) => Entries.length)).toEqual([10, 1]);
  });

  it("says which queue kept some", async () => {
    const { queue } = queueAnswering(success({ Failed: [left("0", "ReceiptHandleIsInvalid", true)] }));
    await expect(queue.remove([{ receipt: "r" }])).rejects.toThrow(
      /did not delete 1 processed messages.*delivered again/,
    );
  });
});
