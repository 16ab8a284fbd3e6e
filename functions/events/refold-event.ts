import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Log, LogItem, LogKey } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { ChangeFeed } from "../../src/projection/changes/change-feed.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { readItems } from "../../src/log/read-log.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { decodeRefoldMessage } from "../../src/adapters/sqs/sqs-refold-queue.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { type Projector, projectorOf } from "../../src/projection/projector.ts";
import { retryUntil } from "../lambda/retry-until.ts";
import type { VersionContext } from "../lambda/version-context.ts";

export interface RefoldDependencies {
  readonly log: Log;
  readonly projections: Projections;
  readonly meta: MetaStore;
  /** @default changes are not announced */
  readonly changes?: ChangeFeed;
  /** @default that of the release in use */
  readonly projector?: Projector["kind"];
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * Keys of log items that could not be projected, or whose projection was deferred for a large Job
 * (src/projection/write-coalescing.ts). Failures are reported, retried by SQS, and finally moved to the dead-letter
 * queue.
 */
export async function onRefoldMessages(
  dependencies: RefoldDependencies,
  { Records }: SQSEvent,
  context: VersionContext,
): Promise<SQSBatchResponse> {
  const { log, count, logger } = dependencies;
  const failed = new Map<string, string>();
  const items: LogItem[] = [];
  const messages = new Map<string, readonly string[]>();
  for (const { messageId, body } of Records) {
    const found = await find(log, decodeRefoldMessage(body));
    if (typeof found === "string") failed.set(messageId, found);
    else {
      items.push(...found);
      messages.set(
        messageId,
        found.map(({ key }) => textOf(key)),
      );
    }
  }
  const coalescing = { kind: "collect", log } as const;
  const projector = projectorOf(dependencies.projector, ({ refold }) => refold === context.functionVersion);
  const projected = await projectLive({ ...dependencies, coalescing, projector }, items, retryUntil(context, count));
  const refused = new Map(projected.refold.map(({ key, cause }) => [textOf(key), errorMessage(cause)]));
  for (const [messageId, keys] of messages) {
    const reason = keys.map((key) => refused.get(key)).find((text) => text !== undefined);
    if (reason !== undefined) failed.set(messageId, reason);
  }
  count("Writes", projected.written);
  count("UnfoldedSegments", failed.size);
  for (const [messageId, reason] of failed) {
    logger.warn("A log item could not be projected again.", { messageId, reason });
  }
  return { batchItemFailures: [...failed.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
}

/** The log item, or the items of a pack, or the reason why there is none. */
async function find(log: Log, key: LogKey | undefined): Promise<readonly LogItem[] | string> {
  if (key === undefined) return "The message is not a log key.";
  const found = await readItems(log, key);
  return found.length > 0 ? found : `The log has no item ${textOf(key)}: it has expired, or the key is invalid.`;
}

function textOf({ pk, sk }: LogKey): string {
  return `${pk} ${sk}`;
}
