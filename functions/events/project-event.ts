import type { Context, DynamoDBStreamEvent } from "aws-lambda";
import { AwsError, AwsRequestRefusedError } from "../../src/aws/aws-error.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { RefoldQueue } from "../../src/ports/refold-queue.ts";
import { type ProjectedSegments, projectLive, type Refold } from "../../src/projection/project-segments.ts";
import type { Journal } from "../../src/runtime/journal.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import { errorMessage } from "../../src/text/error-message.ts";
import { retryUntil } from "../lambda/retry-until.ts";
import { readStreamRecords } from "./stream-records.ts";

export interface ProjectDependencies {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly refoldQueue: RefoldQueue;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * New items of the log, as its stream brings them. What cannot be folded goes to the refold queue by its key, and the batch succeeds: a record that were
 * reported as failed would take the rest of its batch with it when its retries are used up, because a stream is tried again from its checkpoint on. Throws
 * only where the world is broken, so that nothing of the batch was folded; that is tried again.
 */
export async function onStreamRecords(
  dependencies: ProjectDependencies,
  { Records }: DynamoDBStreamEvent,
  context: Pick<Context, "getRemainingTimeInMillis">,
): Promise<void> {
  const { count, logger, refoldQueue } = dependencies;
  const { items, unreadable, foreign } = readStreamRecords(Records);
  count("ForeignStreamRecords", foreign.length);
  for (const sentence of foreign) logger.error(sentence);
  const coalescing = { kind: "note", refoldQueue } as const;
  const projected = await projectLive({ ...dependencies, coalescing }, items, retryUntil(context, count));
  if (isOutageOfAll(projected)) throw new NothingFoldedError(items.length, projected.refold[0]?.cause);
  const refold = [...projected.refold, ...unreadable.map((key) => ({ key, cause: "The record cannot be read." }))];
  count("Writes", projected.written);
  count("UnfoldedSegments", refold.length);
  for (const { key, cause } of refold) {
    logger.warn("A log item goes to be folded again.", { ...key, reason: errorMessage(cause) });
  }
  if (refold.length > 0) await refoldQueue.send(refold.map(({ key }) => key));
}

/** Nothing could be folded, and that is the world's fault: folding the items one by one elsewhere would not help. */
function isOutageOfAll({ written, unchanged, noted, refold }: ProjectedSegments): boolean {
  return refold.length > 0 && written + unchanged + noted === 0 && refold.every(isOutage);
}

/** A request that AWS refuses for what is in it is refused again: that is the item's fault. */
function isOutage({ cause }: Refold): boolean {
  return cause instanceof AwsError && !(cause instanceof AwsRequestRefusedError);
}

/** The world is broken: Lambda brings the batch again, whole or in halves, until it is mended or the record is too old. */
class NothingFoldedError extends Error {
  override readonly name = "NothingFoldedError";

  constructor(items: number, cause: unknown) {
    super(`None of ${items} log items could be folded; they come again. ${errorMessage(cause)}`, { cause });
  }
}
