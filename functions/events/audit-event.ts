import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { RefoldQueue } from "../../src/ports/refold-queue.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { type Audited, auditLog } from "../../src/replay/audit-log.ts";
import type { Unapplied } from "../../src/replay/audit-segments.ts";
import type { ConflictingCopy } from "../../src/replay/conflicting-copies.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Journal } from "../../src/runtime/journal.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import { type RemainingTime } from "../lambda/retry-until.ts";

export interface AuditDependencies {
  readonly log: Log;
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly refoldQueue: RefoldQueue;
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** More than a batch takes: no batch starts that Lambda would interrupt. */
const BATCH_MILLIS = 60_000;

/** Compares the log with the projection, and queues the keys of missing log items to be projected again. */
export async function onAudit(dependencies: AuditDependencies, context: RemainingTime): Promise<Audited> {
  const { log, projections, meta, refoldQueue, clock, count, logger } = dependencies;
  const onUnapplied = async (found: readonly Unapplied[]) => {
    for (const { key, reason } of found) logger.error("A log item is missing from the projection.", { ...key, reason });
    await refoldQueue.send(found.map(({ key }) => key));
  };
  const onConflicts = async (found: readonly ConflictingCopy[]) => {
    for (const { key, first, reason } of found) {
      logger.error("Two different segments have the same key.", { ...key, first, reason });
    }
  };
  const now = clock.now();
  const audited = await auditLog(
    { log, meta, jobs: await liveJobs(projections, meta), onUnapplied, onConflicts },
    { now, hasTime: () => context.getRemainingTimeInMillis() > BATCH_MILLIS },
  );
  count("AuditMismatches", audited.unapplied);
  count("ConflictingSegments", audited.conflicts);
  const { auditedUntil = now } = audited;
  count("OldestUnauditedSeconds", Math.round((now - auditedUntil) / 1_000));
  logger.info("The log was compared with the projection.", { ...audited });
  return audited;
}
