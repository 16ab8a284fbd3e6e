import {
  type BatchResultErrorEntry,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { awsError } from "../aws/aws-error.ts";
import { type BackOff, fullJitter } from "../aws/back-off.ts";
import type { SendOutcome } from "../ports/segment-queue.ts";
import { inBatches, MAX_MESSAGE_BYTES, MAX_MESSAGES } from "./send-batches.ts";

/** One SQS queue. */
export interface MessageQueue {
  /** Sends messages, in any number, and says of each what became of it, in the order given. Whatever goes wrong is an answer; it does not throw. */
  send(messages: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]>;
  /** Up to 10 messages, which nobody else gets until their visibility timeout is over. None does not mean that there is none: ask again. Throws an AwsError. */
  receive(options?: ReceiveOptions): Promise<readonly ReceivedMessage[]>;
  /** Deletes messages that are done with. Throws an AwsError where any stays: it will come again. */
  remove(messages: readonly Pick<ReceivedMessage, "receipt">[]): Promise<void>;
}

export interface OutgoingMessage {
  /** Text of at most 1 MiB. */
  readonly body: string;
  /** Whose message it is: a fair queue lets nobody's backlog delay the others'. At most 128 characters of printable ASCII. */
  readonly group?: string;
  /** Nobody gets it before so many seconds are over: whole ones, at most 900. @default 0 */
  readonly delaySeconds?: number;
}

export interface ReceivedMessage {
  readonly body: string;
  readonly messageId: string;
  /** Names this delivery when it is deleted. */
  readonly receipt: string;
  /** Who sent it, as SQS knows: `AROA…:session`, `AIDA…` or an account's id. Absent where the queue does not tell. */
  readonly senderId?: string;
  /** Milliseconds since 1970. */
  readonly sentAt?: number;
  /** How often it was received, this time too. */
  readonly receiveCount?: number;
  readonly group?: string;
}

export interface ReceiveOptions {
  /** 1 to 10. @default 10 */
  readonly limit?: number;
  /** How long to wait for a message: 0 to 20 s. @default 0 */
  readonly waitSeconds?: number;
  /** For how long nobody else gets them. @default what the queue says */
  readonly visibilitySeconds?: number;
}

/** The queue at `queueUrl`. `backOff` is for what SQS leaves undone of a batch; the SDK repeats whole requests by itself. */
export function createMessageQueue(client: SQSClient, queueUrl: string, backOff: BackOff = fullJitter()): MessageQueue {
  const queue: Queue = { client, queueUrl, backOff };
  return {
    send: (messages) => sendAll(queue, messages),
    receive: (options) => receive(queue, options),
    remove: async (messages) => {
      for (let from = 0; from < messages.length; from += MAX_MESSAGES) {
        await remove(queue, messages.slice(from, from + MAX_MESSAGES));
      }
    },
  };
}

interface Queue {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly backOff: BackOff;
}

async function sendAll(queue: Queue, messages: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]> {
  const outcomes = messages.map(({ body }): SendOutcome => fitOf(body));
  const waiting = messages.flatMap((message, index) => (isWaiting(outcomes[index]) ? [{ ...message, index }] : []));
  for (const batch of inBatches(waiting)) {
    const sent = await sendBatch(queue, batch);
    batch.forEach(({ index }, place) => {
      outcomes[index] = sent[place] ?? UNANSWERED;
    });
  }
  return outcomes;
}

const UNANSWERED: SendOutcome = { outcome: "unreachable", reason: "SQS did not say what became of the message." };

function isWaiting(outcome: SendOutcome | undefined): boolean {
  return outcome?.outcome === "unreachable";
}

/** Too long is too long for ever; anything else is not known before it was sent. */
function fitOf(body: string): SendOutcome {
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_MESSAGE_BYTES) return UNANSWERED;
  return {
    outcome: "refused",
    reason: `The message has ${bytes} bytes; SQS takes ${MAX_MESSAGE_BYTES} (1 MiB). Seal fewer facts into a segment.`,
  };
}

/** One batch until SQS has answered for every message, or the attempts are used up. The same bytes are sent each time. */
async function sendBatch(queue: Queue, batch: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]> {
  const outcomes: SendOutcome[] = batch.map(() => UNANSWERED);
  for (let attempt = 1; attempt <= queue.backOff.attempts; attempt += 1) {
    const rest = [...outcomes.keys()].filter((index) => isWaiting(outcomes[index]));
    if (rest.length === 0) break;
    if (attempt > 1) await queue.backOff.pause(attempt);
    try {
      const failed = await sendOnce(queue, batch, rest);
      for (const index of rest) outcomes[index] = outcomeOf(queue, failed.get(String(index)));
    } catch (cause) {
      // The SDK has tried again already where that can help.
      return outcomes.map((outcome) => (isWaiting(outcome) ? unreachable(queue, cause) : outcome));
    }
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

/** Codes that are about the message; all others, also those that SQS calls the sender's fault (a key of KMS, a policy), are about the queue. */
const MESSAGE_FAULTS = new Set(["InvalidMessageContents", "MessageTooLong"]);

function outcomeOf({ queueUrl }: Queue, failed: BatchResultErrorEntry | undefined): SendOutcome {
  if (failed === undefined) return { outcome: "accepted" };
  const said = `${failed.Code ?? "no code"}: ${failed.Message ?? "no message"}`;
  if (failed.Code !== undefined && MESSAGE_FAULTS.has(failed.Code)) {
    return { outcome: "refused", reason: `Queue ${queueUrl} will never take the message. SQS said: ${said}` };
  }
  return { outcome: "unreachable", reason: `Queue ${queueUrl} did not take the message now. SQS said: ${said}` };
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

/** Messages that were done with stay in the queue, and will come again. */
class MessageNotDeletedError extends Error {
  override readonly name = "MessageNotDeletedError";

  constructor(queueUrl: string, count: number, { Code, Message }: BatchResultErrorEntry) {
    super(
      `Queue ${queueUrl} kept ${count} messages that were done with; they will come again, which does no harm. SQS said: ${Code ?? "no code"}: ${Message ?? "no message"}`,
    );
  }
}

function queueError(queueUrl: string, cause: unknown): unknown {
  return awsError(`Queue ${queueUrl}`, cause);
}
