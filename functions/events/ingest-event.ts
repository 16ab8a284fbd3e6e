import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import {
  ingestMessages,
  type MessageOutcome,
  type MessagePorts,
  type QueuedMessage,
} from "../../src/ingest/ingest-messages.ts";
import type {
  RedriveOutcome,
  RedrivenMessage,
  RedriveRequest,
  RedriveResponse,
} from "../../src/ingest/redrive-request.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Journal } from "../../src/runtime/journal.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import { decodeMessageBody } from "../../src/sqs/message-body.ts";
import { errorMessage } from "../../src/text/error-message.ts";
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

export interface IngestDependencies extends MessagePorts {
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * Messages from the queue, or from `outlive redrive`. An invalid message is set aside and counts as success, because a
 * retry would not help. Only messages that failed because a dependency is unavailable are reported as failed and
 * delivered again.
 */
export async function onMessages(
  dependencies: IngestDependencies,
  event: object,
): Promise<SQSBatchResponse | RedriveResponse> {
  if (isRedrive(event)) return ingestAgain(dependencies, event.redrive);
  if (!isFromQueue(event)) throw new UnsupportedEventError(EXPECTED);
  const outcomes = await ingest(
    dependencies,
    event.Records.map(({ messageId, body, attributes }) => queued(messageId, body, attributes.SenderId)),
  );
  const failed = outcomes.filter((outcome) => "failed" in outcome);
  return { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) };
}

const EXPECTED =
  'SQS messages, or {"redrive":[{"messageId":"...","body":"...","senderId":"..."}]}, with "keptAs" instead of ' +
  '"body" for a message in the bucket';

/** A large message that cannot be read does not affect the others. */
async function ingestAgain(
  dependencies: IngestDependencies,
  messages: readonly RedrivenMessage[],
): Promise<RedriveResponse> {
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
  const outcomes = await ingestMessages(dependencies, messages, dependencies.clock.now());
  for (const outcome of outcomes) report(dependencies, outcome);
  return outcomes;
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
