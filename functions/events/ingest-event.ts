import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import {
  ingestMessages,
  type MessageOutcome,
  type MessagePorts,
  type QueuedMessage,
} from "../../src/log/ingest-messages.ts";
import type {
  RedriveOutcome,
  RedrivenMessage,
  RedriveRequest,
  RedriveResponse,
} from "../../src/log/redrive-request.ts";
import { retryAfterSeconds, SUSPECT_RECEIVES } from "../../src/log/retry-later.ts";
import { setAside } from "../../src/log/set-aside.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { decodeMessageBody } from "../../src/adapters/sqs/message-body.ts";
import type { MessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

export interface IngestDependencies extends MessagePorts {
  readonly clock: Pick<Clock, "now">;
  /**
   * The queue whose messages are hidden until they are to be received again. Others, such as the dead-letter queue
   * during a redrive, use their visibility timeout. @default none
   */
  readonly queue?: Pick<MessageQueue, "hide"> & { readonly url: string };
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * Messages from the queue, or from `outlive redrive`. An invalid message is set aside and counts as success, because a
 * retry would not help. Only messages that failed because a dependency is unavailable are reported as failed. They wait
 * longer after each receive, for days if need be (src/log/retry-later.ts).
 *
 * A message that was received several times may be what kills the function: it is taken after all others, which are in
 * the log by then.
 */
export async function onMessages(
  dependencies: IngestDependencies,
  event: object,
): Promise<SQSBatchResponse | RedriveResponse> {
  if (isRedrive(event)) return ingestAgain(dependencies, event.redrive);
  if (!isFromQueue(event)) throw new UnsupportedEventError(EXPECTED);
  const failed = await ingestRecords(dependencies, event.Records);
  await hideUntilRetry(dependencies, failed);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** The records to deliver again. */
async function ingestRecords(
  dependencies: IngestDependencies,
  records: readonly SQSRecord[],
): Promise<readonly SQSRecord[]> {
  const waves = [records.filter((record) => !isSuspect(record)), records.filter(isSuspect)];
  const failed = new Set<string>();
  for (const wave of waves) {
    const messages = wave.map((record) => ({
      ...queued(record.messageId, record.body, record.attributes.SenderId),
      receiveCount: receiveCountOf(record),
    }));
    const outcomes = await ingest(dependencies, messages);
    for (const outcome of outcomes) if ("failed" in outcome) failed.add(outcome.id);
  }
  return records.filter(({ messageId }) => failed.has(messageId));
}

function isSuspect(record: SQSRecord): boolean {
  return receiveCountOf(record) >= SUSPECT_RECEIVES;
}

function receiveCountOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}

/** The last part of a queue's URL or ARN is its name. */
function nameIn(text: string | undefined, separator: string): string | undefined {
  return text?.split(separator).at(-1);
}

/** If SQS is unavailable as well, the messages return at the queue's visibility timeout. */
async function hideUntilRetry({ queue, logger }: IngestDependencies, failed: readonly SQSRecord[]): Promise<void> {
  const records = failed.filter(({ eventSourceARN }) => nameIn(queue?.url, "/") === nameIn(eventSourceARN, ":"));
  if (records.length === 0) return;
  try {
    await queue?.hide(
      records.map((record) => ({
        receipt: record.receiptHandle,
        seconds: retryAfterSeconds(receiveCountOf(record)),
      })),
    );
  } catch (error) {
    logger.warn("Messages could not be hidden until their retry.", { error });
  }
}

const EXPECTED =
  'SQS messages, or {"redrive":[{"messageId":"...","body":"...","senderId":"..."}]}, with "keptAs" instead of ' +
  '"body" for a message in the bucket, or {"restore":[{"body":"...","arrivedAt":0}]}';

/** A large message that cannot be read does not affect the others. */
async function ingestAgain(
  dependencies: IngestDependencies,
  messages: readonly RedrivenMessage[],
): Promise<RedriveResponse> {
  // Often, a principal was registered just now because of these messages.
  dependencies.senders.forget();
  const found = await Promise.all(messages.map((message) => messageAgain(dependencies, message)));
  const outcomes = await ingest(
    dependencies,
    found.filter((message) => "bytes" in message),
  );
  const byId = new Map(outcomes.map((outcome) => [outcome.id, redriven(outcome)]));
  return { outcomes: found.flatMap((message) => ("bytes" in message ? (byId.get(message.id) ?? []) : message)) };
}

async function messageAgain(
  { largeMessages }: IngestDependencies,
  message: RedrivenMessage,
): Promise<QueuedMessage | RedriveOutcome> {
  const { messageId, senderId } = message;
  if ("body" in message) return queued(messageId, message.body, senderId);
  const failed = (reason: string) => ({ messageId, outcome: "failed", reason }) as const;
  try {
    const bytes = await largeMessages?.read(message.keptAs);
    if (bytes === undefined) return failed(`The bucket has no message ${message.keptAs}. It may have expired.`);
    return { id: messageId, bytes, ...(senderId !== undefined && { senderId }) };
  } catch (cause) {
    return failed(errorMessage(cause));
  }
}

/** A caller may send any event. */
function isRedrive(event: object): event is RedriveRequest {
  return "redrive" in event && Array.isArray(event.redrive);
}

function isFromQueue(event: object): event is SQSEvent {
  return "Records" in event && Array.isArray(event.Records);
}

async function ingest(
  dependencies: IngestDependencies,
  messages: readonly QueuedMessage[],
): Promise<readonly MessageOutcome[]> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const ingested = await ingestMessages(dependencies, messages, dependencies.clock.now());
  const outcomes = await Promise.all(ingested.map((outcome) => settle(dependencies, outcome, byId.get(outcome.id))));
  for (const outcome of outcomes) report(dependencies, outcome);
  return outcomes;
}

/**
 * Sets a message aside that failed several times for another reason than an outage: a defect, or a request that AWS
 * refuses. It would fail again, and stays readable.
 */
async function settle(
  dependencies: IngestDependencies,
  outcome: MessageOutcome,
  message: QueuedMessage | undefined,
): Promise<MessageOutcome> {
  if (!("failed" in outcome) || message === undefined || isOutage(outcome.failed)) return outcome;
  const { bytes, senderId, receiveCount = 1 } = message;
  if (receiveCount < SUSPECT_RECEIVES) return outcome;
  const reason = `The message failed ${receiveCount} times: ${errorMessage(outcome.failed)}`;
  try {
    await setAside(dependencies, bytes, { reason, senderId, now: dependencies.clock.now() });
    return { id: outcome.id, ingested: { outcome: "setAside", reason } };
  } catch {
    // The message is delivered again, with the first reason.
    return outcome;
  }
}

/** A body that is not base64 is passed on unchanged: it is from another exporter, or invalid and set aside. */
function queued(id: string, body: string, senderId: string | undefined): QueuedMessage {
  const decoded = decodeMessageBody(body);
  const bytes = decoded.outcome === "decoded" ? decoded.bytes : Buffer.from(body);
  return { id, bytes, ...(senderId !== undefined && { senderId }) };
}

function report({ count, logger }: IngestDependencies, outcome: MessageOutcome): void {
  const { id: messageId } = outcome;
  if ("failed" in outcome) {
    return logger.error("A message could not be ingested. It will be delivered again.", {
      messageId,
      error: outcome.failed,
    });
  }
  if ("ignored" in outcome) return;
  const { ingested } = outcome;
  switch (ingested.outcome) {
    case "appended":
      count("Segments", 1);
      return count("Facts", ingested.item.factCount);
    case "duplicate":
      return count("DuplicateSegments", 1);
    case "conflict":
      count("ConflictingSegments", 1);
      return logger.error("A segment has the key of another segment.", { messageId, reason: ingested.reason });
    case "setAside":
      count("SetAsideSegments", 1);
      return logger.warn("A message was set aside.", { messageId, reason: ingested.reason });
  }
}

function redriven(outcome: MessageOutcome): RedriveOutcome {
  const { id: messageId } = outcome;
  if ("failed" in outcome) return { messageId, outcome: "failed", reason: errorMessage(outcome.failed) };
  // A message without facts about Jobs, from another exporter, needs no work. It counts as already ingested.
  if ("ignored" in outcome) return { messageId, outcome: "duplicate" };
  const { ingested } = outcome;
  switch (ingested.outcome) {
    case "appended":
    case "duplicate":
      return { messageId, outcome: ingested.outcome };
    case "conflict":
    case "setAside":
      return { messageId, outcome: ingested.outcome, reason: ingested.reason };
  }
}
