import type { CloudWatchLogsEvent, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { decodeLogDelivery } from "../../src/adapters/cloudwatch-logs/log-delivery.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { sealManyHints } from "../../src/log/seal-hints.ts";
import type { HintFact } from "../../src/job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../../src/job/model/ids.ts";
import { fieldsOf, isObject, textOf } from "../../src/kubernetes/json/json-field.ts";
import { parseObject } from "../../src/kubernetes/json/object-scanner.ts";
import { translateHintMessage } from "../../src/kubernetes/translate/translate-hint-message.ts";
import type { SegmentQueue } from "../../src/ports/segment-queue.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

export interface AuditLogsDependencies {
  /** The cluster of each log group. */
  readonly clusters: ReadonlyMap<string, string>;
  readonly queue: SegmentQueue;
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * Audit logs from a subscription of CloudWatch Logs, or from the queue of those whose invocations failed. Deletions and
 * evictions become facts in the queue of segments; every other log event is skipped. The same log events give the same
 * segments, so that a delivery that is repeated changes nothing.
 *
 * What cannot be read is counted and logged, and not repeated: CloudWatch Logs still has it.
 */
export async function onAuditLogs(
  dependencies: AuditLogsDependencies,
  event: object,
): Promise<SQSBatchResponse | undefined> {
  if (isDelivery(event)) {
    await takeDelivery(dependencies, event);
    return undefined;
  }
  if (!isFromQueue(event)) throw new UnsupportedEventError("log events of a subscription, directly or from SQS");
  const failed: SQSRecord[] = [];
  for (const record of event.Records) {
    if (!(await isTaken(dependencies, record))) failed.push(record);
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

function isDelivery(event: object): event is CloudWatchLogsEvent {
  return "awslogs" in event && textOf(fieldsOf(event.awslogs)["data"]) !== undefined;
}

function isFromQueue(event: object): event is SQSEvent {
  return "Records" in event && Array.isArray(event.Records);
}

/** Whether a message of the queue is done. Its body is the record of a failed invocation (Lambda, OnFailure). */
async function isTaken(dependencies: AuditLogsDependencies, { body }: SQSRecord): Promise<boolean> {
  const delivery = parseObject(body)?.["requestPayload"];
  if (!isObject(delivery) || !isDelivery(delivery)) {
    reject(dependencies, "The message is not the record of a failed invocation.");
    return true;
  }
  try {
    await takeDelivery(dependencies, delivery);
    return true;
  } catch (error) {
    if (!(error instanceof HintsNotSentError)) throw error;
    dependencies.logger.warn(error.message);
    return false;
  }
}

async function takeDelivery(dependencies: AuditLogsDependencies, { awslogs }: CloudWatchLogsEvent): Promise<void> {
  const delivery = decodeLogDelivery(awslogs.data);
  switch (delivery.outcome) {
    case "control":
      return;
    case "rejected":
      reject(dependencies, delivery.reason);
      return;
    case "events":
      await takeMessages(dependencies, delivery);
  }
}

interface LogEvents {
  readonly logGroup: string;
  readonly messages: readonly string[];
}

async function takeMessages(dependencies: AuditLogsDependencies, { logGroup, messages }: LogEvents): Promise<void> {
  const cluster = decodeClusterName(dependencies.clusters.get(logGroup));
  if (cluster === undefined) {
    reject(dependencies, `Log group ${logGroup} is of no cluster. Add it to auditLogGroups, and deploy again.`);
    return;
  }
  const read = messages.map((message) => translateHintMessage(message));
  const unreadable = read.filter((each) => each === undefined).length;
  if (unreadable > 0) reject(dependencies, `Log events of ${logGroup} are no audit events.`, unreadable);
  const requests = read.flatMap((each) => each?.facts ?? []).filter(({ kind }) => kind === "RequestHinted");
  await send(dependencies, cluster, requests);
}

async function send(
  { queue, clock, count, logger }: AuditLogsDependencies,
  cluster: ClusterName,
  facts: readonly HintFact[],
): Promise<void> {
  const segments = sealManyHints(facts, { cluster, now: clock.now() }).map((bytes) => ({ cluster, bytes }));
  if (segments.length === 0) return;
  const outcomes = await queue.send(segments);
  for (const sent of outcomes) {
    if (sent.outcome === "unreachable") throw new HintsNotSentError(cluster, sent.reason);
    if (sent.outcome === "refused") reject({ count, logger }, sent.reason);
  }
  count("AuditedDeletions", facts.length);
}

function reject({ count, logger }: Pick<AuditLogsDependencies, "count" | "logger">, reason: string, number = 1): void {
  count("RejectedAuditLogs", number);
  logger.error("Log events could not be read as audit events.", { reason, number });
}

/** Lambda repeats the invocation, and then keeps its event in the queue of failed ones. */
class HintsNotSentError extends Error {
  override readonly name = "HintsNotSentError";

  constructor(cluster: ClusterName, reason: string) {
    super(`Deletions of cluster ${cluster} could not be sent to the queue. ${reason}`);
  }
}
