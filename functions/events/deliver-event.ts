import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import { deliverSubjects, type DeliverSubjectsPorts } from "../../src/notify/outbox/deliver-subjects.ts";
import type { Receiver, UnusableReceiver } from "../../src/notify/rules/rules.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { MessageQueue } from "../../src/adapters/sqs/message-queue.ts";
import { decodeWakeUp } from "../../src/adapters/sqs/sqs-wake-ups.ts";
import { retryUntil } from "../lambda/retry-until.ts";

export interface DeliverDependencies extends Omit<DeliverSubjectsPorts, "retry"> {
  /** The receivers of the rule file, with their secrets as they are now. */
  readonly receivers: () => Promise<readonly (Receiver | UnusableReceiver)[]>;
  /** The queue of each receiver. */
  readonly queues: ReadonlyMap<string, Pick<MessageQueue, "hide">>;
  readonly count: CountMetric;
  readonly logger: Journal;
}

interface Wanted {
  readonly record: SQSRecord;
  readonly subject: string;
}

/**
 * The longest time for which SQS hides a received message: 12 hours. After that, the message is received and hidden
 * again.
 */
const MAX_HIDDEN_SECONDS = 6 * 3_600;

/**
 * Wake-ups of the queues of receivers. A message that must be sent later, or again, is hidden until then. Others are
 * done: their records have the result.
 */
export async function onWakeUps(
  dependencies: DeliverDependencies,
  { Records }: SQSEvent,
  context: Pick<Context, "getRemainingTimeInMillis">,
): Promise<SQSBatchResponse> {
  const receivers = new Map((await dependencies.receivers()).map((receiver) => [receiver.name, receiver]));
  const wanted = new Map<string, Wanted[]>();
  for (const record of Records) {
    const wakeUp = decodeWakeUp(record.body);
    if (wakeUp === undefined || !receivers.has(wakeUp.receiver)) {
      dependencies.logger.warn("A message is for no receiver of the rule file.", { body: record.body });
      continue;
    }
    wanted.set(wakeUp.receiver, [...(wanted.get(wakeUp.receiver) ?? []), { record, subject: wakeUp.subject }]);
  }
  const again: SQSRecord[] = [];
  for (const [name, some] of wanted) {
    const receiver = receivers.get(name);
    if (receiver !== undefined) again.push(...(await deliverTo(dependencies, receiver, { some, context })));
  }
  return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

interface Batch {
  readonly some: readonly Wanted[];
  readonly context: Pick<Context, "getRemainingTimeInMillis">;
}

/** The messages that must come again: one of each subject. */
async function deliverTo(
  dependencies: DeliverDependencies,
  receiver: Receiver | UnusableReceiver,
  { some, context }: Batch,
): Promise<readonly SQSRecord[]> {
  const { count, logger } = dependencies;
  const ports = { ...dependencies, retry: retryUntil(context, count) };
  const subjects = some.map(({ subject }) => subject);
  const { delivered, failed, dead, waiting } = await deliverSubjects(ports, receiver, subjects);
  count("DeliveredNotifications", delivered);
  count("FailedNotifications", failed.length);
  count("DeadNotifications", dead.length);
  for (const one of failed) logger.warn("A receiver did not accept a message.", { receiver: receiver.name, ...one });
  for (const one of dead) logger.error("A message was given up.", { receiver: receiver.name, ...one });
  const later = [...new Map(some.map((one) => [one.subject, one.record]))].flatMap(([subject, record]) => {
    const at = waiting.get(subject);
    return at === undefined ? [] : [{ record, at }];
  });
  await hide(dependencies, receiver.name, later);
  return later.map(({ record }) => record);
}

/** A message that could not be hidden returns at the visibility timeout of the queue, which is harmless. */
async function hide(
  { queues, now, logger }: DeliverDependencies,
  receiver: string,
  later: readonly { readonly record: SQSRecord; readonly at: Instant }[],
): Promise<void> {
  if (later.length === 0) return;
  try {
    await queues
      .get(receiver)
      ?.hide(later.map(({ record, at }) => ({ receipt: record.receiptHandle, seconds: secondsUntil(at, now()) })));
  } catch (error) {
    logger.warn("Messages could not be hidden until their retry.", { error });
  }
}

function secondsUntil(at: Instant, now: Instant): number {
  return Math.min(MAX_HIDDEN_SECONDS, Math.max(1, Math.ceil((at - now) / 1_000)));
}
