import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { ProjectionName, Projections } from "../../src/ports/projections.ts";
import type { RefoldQueue } from "../../src/ports/refold-queue.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import { type Audited, auditLog } from "../../src/upkeep/replay/audit-projection.ts";
import type { Unapplied } from "../../src/upkeep/replay/audit-segments.ts";
import type { ConflictingCopy } from "../../src/upkeep/replay/conflicting-copies.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { type RemainingTime } from "../lambda/retry-until.ts";

export interface AuditDependencies {
  readonly log: Log;
  readonly projections: Projections;
  readonly meta: MetaStore;
  /** One audit for each projector. During a trial, the one that writes the live projection is one of two. */
  readonly refoldQueues: readonly RefoldQueue[];
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** More than a batch takes: no batch starts that Lambda would interrupt. */
const BATCH_MILLIS = 60_000;

/** Compares the log with the projection, and queues the keys of missing log items to be projected again. */
export async function onAudit(
  dependencies: AuditDependencies,
  context: RemainingTime,
): Promise<Audited & { readonly projection: ProjectionName }> {
  const { log, projections, meta, refoldQueues, clock, count, logger } = dependencies;
  const onUnapplied = async (found: readonly Unapplied[]) => {
    for (const { key, reason } of found) logger.error("A log item is missing from the projection.", { ...key, reason });
    for (const queue of refoldQueues) await queue.send(found.map(({ key }) => key));
  };
  const onConflicts = async (found: readonly ConflictingCopy[]) => {
    for (const { key, first, reason } of found) {
      logger.error("Two different segments have the same key.", { ...key, first, reason });
    }
  };
  const now = clock.now();
  const { live: projection } = await readLivePointer(meta);
  const audited = await auditLog(
    { log, meta, jobs: projections.open(projection), runs: projections.runs(projection), onUnapplied, onConflicts },
    { now, hasTime: () => context.getRemainingTimeInMillis() > BATCH_MILLIS },
  );
  count("AuditMismatches", audited.unapplied);
  count("ConflictingSegments", audited.conflicts);
  const { auditedUntil = now } = audited;
  count("OldestUnauditedSeconds", Math.round((now - auditedUntil) / 1_000));
  logger.info("The log was compared with the projection.", { projection, ...audited });
  return { projection, ...audited };
}
