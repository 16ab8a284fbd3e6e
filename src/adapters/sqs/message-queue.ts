import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { awsError } from "../aws/aws-error.ts";
import { batchRetry } from "../aws/batch-retry.ts";
import { attemptsOf, type Retry } from "../../ports/concurrency/retry.ts";
import type { SendOutcome } from "../../ports/segment-queue.ts";

/** One SQS queue. */
export interface MessageQueue {
  /** Sends any number of messages and returns the outcome of each, in their order. It does not throw. */
  send(messages: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]>;
  /**
   * Up to 10 messages, hidden from other receivers until their visibility timeout ends. An empty result does not prove
   * that the queue is empty. Throws an AwsError.
   */
  receive(options?: ReceiveOptions): Promise<readonly ReceivedMessage[]>;
  /** Deletes processed messages. Throws an AwsError where one stays, which will be delivered again. */
  remove(messages: readonly Pick<ReceivedMessage, "receipt">[]): Promise<void>;
  /**
   * Hides received messages from other receivers for this many seconds from now (at most 12 hours since they were
   * received). Throws an AwsError if one keeps its visibility timeout.
   */
  hide(messages: readonly HiddenMessage[]): Promise<void>;
}

export interface HiddenMessage extends Pick<ReceivedMessage, "receipt"> {
  readonly seconds: number;
}

export interface OutgoingMessage {
  /** Text of at most 1 MiB. */
  readonly body: string;
  /**
   * The message group. SQS fair queues prevent the backlog of one group from delaying others. At most 128 printable
   * ASCII characters.
   */
  readonly group?: string;
  /** The delivery delay in whole seconds, at most 900. @default 0 */
  readonly delaySeconds?: number;
}

export interface ReceivedMessage {
  readonly body: string;
  readonly messageId: string;
  /** Identifies this delivery, for its deletion. */
  readonly receipt: string;
  /** The sender: `AROA…:session`, `AIDA…` or an account id. Absent where the queue does not report it. */
  readonly senderId?: string;
  /** Milliseconds since 1970. */
  readonly sentAt?: number;
  /** How often it was received, including this time. */
  readonly receiveCount?: number;
  readonly group?: string;
}

export interface ReceiveOptions {
  /** 1 to 10. @default 10 */
  readonly limit?: number;
  /** How long to wait for a message, 0 to 20. @default 0 */
  readonly waitSeconds?: number;
  /** How long the messages are hidden from other receivers. @default the queue's setting */
  readonly visibilitySeconds?: number;
}

/** The queue at `queueUrl`. `retry` is for messages that SQS left unsent in a batch; the SDK retries whole requests. */
export function createMessageQueue(client: SQSClient, queueUrl: string, retry: Retry = batchRetry()): MessageQueue {
  const queue: Queue = { client, queueUrl, retry };
  return {
    send: (messages) => sendAll(queue, messages),
    receive: (options) => receive(queue, options),
    remove: (messages) => inTens(messages, (some) => remove(queue, some)),
    hide: (messages) => inTens(messages, (some) => hide(queue, some)),
  };
}

async function inTens<Message>(
  messages: readonly Message[],
  work: (some: readonly Message[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < messages.length; from += MAX_MESSAGES) {
    await work(messages.slice(from, from + MAX_MESSAGES));
  }
}

interface Queue {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly retry: Retry;
}

async function sendAll(queue: Queue, messages: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]> {
  const outcomes = messages.map(({ body }): SendOutcome => fitOf(body));
  const waiting = messages.flatMap((message, index) => (isWaiting(outcomes[index]) ? [{ ...message, index }] : []));
  for (const batch of inBatches(waiting)) {
    const sent = await sendBatch(queue, batch);
    batch.forEach(({ index }, position) => {
      outcomes[index] = sent[position] ?? UNANSWERED;
    });
  }
  return outcomes;
}

const UNANSWERED: SendOutcome = { outcome: "unreachable", reason: "SQS did not report the outcome of the message." };

function isWaiting(outcome: SendOutcome | undefined): boolean {
  return outcome?.outcome === "unreachable";
}

/** A message that is too long is refused; any other outcome is unknown before it is sent. */
function fitOf(body: string): SendOutcome {
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_MESSAGE_BYTES) return UNANSWERED;
  return {
    outcome: "refused",
    reason:
      `The message has ${bytes} bytes, and SQS accepts ${MAX_MESSAGE_BYTES} (1 MiB). Seal fewer facts into a ` +
      "segment.",
  };
}

/** Sends a batch until SQS has reported every message, or the attempts are used up. */
async function sendBatch(queue: Queue, batch: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]> {
  const outcomes: SendOutcome[] = batch.map(() => UNANSWERED);
  for await (const _ of attemptsOf(queue.retry)) {
    const rest = [...outcomes.keys()].filter((index) => isWaiting(outcomes[index]));
    try {
      const failed = await sendOnce(queue, batch, rest);
      for (const index of rest) outcomes[index] = outcomeOf(queue, failed.get(String(index)));
    } catch (cause) {
      // The SDK has already retried the request.
      return outcomes.map((outcome) => (isWaiting(outcome) ? unreachable(queue, cause) : outcome));
    }
    if (!outcomes.some(isWaiting)) break;
  }
  return outcomes;
}

async function sendOnce({ client, queueUrl }: Queue, batch: readonly OutgoingMessage[], indexes: readonly number[]) {
  const Entries = indexes.flatMap((index) => {
    const message = batch[index];
    return message === undefined ? [] : [{ Id: String(index), MessageBody: message.body, ...optionsOf(message) }];
  });
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  return new Map(Failed.map((failed) => [failed.Id, failed]));
}

function optionsOf({ group, delaySeconds }: OutgoingMessage) {
  return {
    ...(group !== undefined && { MessageGroupId: group }),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
  };
}

/** Codes about the message. All other codes, even sender faults such as KMS keys and policies, are about the queue. */
const MESSAGE_FAULTS = new Set(["InvalidMessageContents", "MessageTooLong"]);

function outcomeOf({ queueUrl }: Queue, failed: BatchResultErrorEntry | undefined): SendOutcome {
  if (failed === undefined) return { outcome: "accepted" };
  const said = `${failed.Code ?? "no code"}: ${failed.Message ?? "no message"}`;
  if (failed.Code !== undefined && MESSAGE_FAULTS.has(failed.Code)) {
    return { outcome: "refused", reason: `Queue ${queueUrl} rejected the message. SQS said: ${said}` };
  }
  return { outcome: "unreachable", reason: `Queue ${queueUrl} did not accept the message. SQS said: ${said}` };
}

function unreachable({ queueUrl }: Queue, cause: unknown): SendOutcome {
  const error = queueError(queueUrl, cause);
  return { outcome: "unreachable", reason: error instanceof Error ? error.message : String(error) };
}

async function receive(
  { client, queueUrl }: Queue,
  { limit = MAX_MESSAGES, waitSeconds = 0, visibilitySeconds }: ReceiveOptions = {},
): Promise<readonly ReceivedMessage[]> {
  try {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: limit,
        WaitTimeSeconds: waitSeconds,
        ...(visibilitySeconds !== undefined && { VisibilityTimeout: visibilitySeconds }),
        MessageSystemAttributeNames: ["SenderId", "SentTimestamp", "ApproximateReceiveCount", "MessageGroupId"],
      }),
    );
    return Messages.flatMap(toReceived);
  } catch (cause) {
    throw queueError(queueUrl, cause);
  }
}

function toReceived({ Body, MessageId, ReceiptHandle, Attributes = {} }: Message): readonly ReceivedMessage[] {
  if (Body === undefined || MessageId === undefined || ReceiptHandle === undefined) return [];
  const { SenderId, SentTimestamp, ApproximateReceiveCount, MessageGroupId } = Attributes;
  return [
    {
      body: Body,
      messageId: MessageId,
      receipt: ReceiptHandle,
      ...(SenderId !== undefined && { senderId: SenderId }),
      ...(SentTimestamp !== undefined && { sentAt: Number(SentTimestamp) }),
      ...(ApproximateReceiveCount !== undefined && { receiveCount: Number(ApproximateReceiveCount) }),
      ...(MessageGroupId !== undefined && { group: MessageGroupId }),
    },
  ];
}

async function remove(
  { client, queueUrl }: Queue,
  messages: readonly Pick<ReceivedMessage, "receipt">[],
): Promise<void> {
  const Entries = messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
  try {
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    const [failed] = Failed;
    if (failed !== undefined) throw new MessageNotDeletedError(queueUrl, Failed.length, failed);
  } catch (cause) {
    throw queueError(queueUrl, cause);
  }
}

async function hide({ client, queueUrl }: Queue, messages: readonly HiddenMessage[]): Promise<void> {
  const Entries = messages.map(({ receipt, seconds }, index) => ({
    Id: String(index),
    ReceiptHandle: receipt,
    VisibilityTimeout: seconds,
  }));
  try {
    const { Failed = [] } = await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
    const [failed] = Failed;
    if (failed !== undefined) throw new MessageNotHiddenError(queueUrl, Failed.length, failed);
  } catch (cause) {
    throw queueError(queueUrl, cause);
  }
}

/** Messages return when the visibility timeout of the queue ends. */
class MessageNotHiddenError extends Error {
  override readonly name = "MessageNotHiddenError";

  constructor(queueUrl: string, count: number, { Code, Message }: BatchResultErrorEntry) {
    super(
      `Queue ${queueUrl} did not hide ${count} messages for as long as they should wait. They return at the queue's ` +
        `own visibility timeout. SQS said: ${Code ?? "no code"}: ${Message ?? "no message"}`,
    );
  }
}

/** Processed messages could not be deleted, and will be delivered again. */
class MessageNotDeletedError extends Error {
  override readonly name = "MessageNotDeletedError";

  constructor(queueUrl: string, count: number, { Code, Message }: BatchResultErrorEntry) {
    super(
      `Queue ${queueUrl} did not delete ${count} processed messages. They will be delivered again, which is ` +
        `harmless. SQS said: ${Code ?? "no code"}: ${Message ?? "no message"}`,
    );
  }
}

function queueError(queueUrl: string, cause: unknown): unknown {
  return awsError(`Queue ${queueUrl}`, cause);
}

/** The limit of SQS for a message, and for all messages of a request: 1 MiB of UTF-8 (256 KiB before August 2025). */
const MAX_MESSAGE_BYTES = 1_048_576;
/** The limit of SQS for the messages in a request. */
const MAX_MESSAGES = 10;

/** Messages in as few batches as possible, in their order. Each message must fit into a batch. */
function inBatches<Waiting extends { readonly body: string }>(
  waiting: readonly Waiting[],
): readonly (readonly Waiting[])[] {
  const batches: Waiting[][] = [];
  let bytes = 0;
  for (const one of waiting) {
    const size = Buffer.byteLength(one.body);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MAX_MESSAGES || bytes + size > MAX_MESSAGE_BYTES) {
      batches.push([one]);
      bytes = size;
    } else {
      batch.push(one);
      bytes += size;
    }
  }
  return batches;
}
