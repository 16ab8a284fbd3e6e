import type { DynamoDBStreamEvent } from "aws-lambda";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { RefoldQueue } from "../../src/ports/refold-queue.ts";
import type { ChangeFeed } from "../../src/projection/changes/change-feed.ts";
import { type ProjectedSegments, projectLive } from "../../src/projection/project-segments.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { type Projector, projectorOf } from "../../src/projection/projector.ts";
import { retryUntil } from "../lambda/retry-until.ts";
import type { VersionContext } from "../lambda/version-context.ts";
import { readStreamRecords } from "./stream-records.ts";

export interface ProjectDependencies {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly refoldQueue: RefoldQueue;
  /** @default changes are not announced */
  readonly changes?: ChangeFeed;
  /** @default that of the release in use */
  readonly projector?: Projector["kind"];
  readonly count: CountMetric;
  readonly logger: Journal;
}

/**
 * New log items from the stream. The keys of items that cannot be projected go to the refold queue, and the batch
 * succeeds. A reported failure would block the rest of the batch, because Lambda retries a stream from the failed
 * record on. It throws only during an outage, when no item of the batch could be projected; then Lambda retries the
 * batch.
 */
export async function onStreamRecords(
  dependencies: ProjectDependencies,
  { Records }: DynamoDBStreamEvent,
  context: VersionContext,
): Promise<void> {
  const { count, logger, refoldQueue } = dependencies;
  const { items, unreadable, foreign } = readStreamRecords(Records);
  count("ForeignStreamRecords", foreign.length);
  for (const sentence of foreign) logger.error(sentence);
  const coalescing = { kind: "note", refoldQueue } as const;
  const projector = projectorOf(dependencies.projector, ({ project }) => project === context.functionVersion);
  const projected = await projectLive({ ...dependencies, coalescing, projector }, items, retryUntil(context, count));
  if (isOutageOfAll(projected)) throw new NothingProjectedError(items.length, projected.refold[0]?.cause);
  const refold = [
    ...projected.refold,
    ...unreadable.map((key) => ({ key, cause: "The stream record cannot be read." })),
  ];
  count("Writes", projected.written);
  if (projected.lostHints > 0) logger.warn("Hint records could not be written.", { records: projected.lostHints });
  count("UnfoldedSegments", refold.length);
  for (const { key, cause } of refold) {
    logger.warn("A log item was queued to be projected again.", { ...key, reason: errorMessage(cause) });
  }
  if (refold.length > 0) await refoldQueue.send(refold.map(({ key }) => key));
}

/** No item could be projected because of an outage, which the refold queue would meet as well. */
function isOutageOfAll({ written, unchanged, noted, refold }: ProjectedSegments): boolean {
  return refold.length > 0 && written + unchanged + noted === 0 && refold.every(({ cause }) => isOutage(cause));
}

/** An outage: Lambda retries the batch, whole or in halves, until it succeeds or the records are too old. */
class NothingProjectedError extends Error {
  override readonly name = "NothingProjectedError";

  constructor(items: number, cause: unknown) {
    super(`None of ${items} log items could be projected. Lambda will retry them. ${errorMessage(cause)}`, { cause });
  }
}
