import { type ChainLink } from "../../src/archive/layout/chain.ts";
import { verifiedUntil, type VerifiedProgress, verifyProgress } from "../../src/archive/verify/verify-progress.ts";
import { type Archived, archiveLog } from "../../src/archive/write/archive-log.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { Projections } from "../../src/ports/projections.ts";
import { liveStores } from "../../src/projection/live-projection.ts";
import { readRetentionRules } from "../../src/upkeep/retention/retention-rules.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { RemainingTime } from "../lambda/retry-until.ts";

export interface ArchiveDependencies {
  readonly log: Log;
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly store: ObjectStore;
  readonly clock: Pick<Clock, "now">;
  readonly newId: () => string;
  /** The retention of clusters and namespaces without a rule of their own. */
  readonly standardDays: number;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** More than most hours take. A longer one has the whole time of the next invocation, because it is the first then. */
const HOUR_MILLIS = 5 * 60_000;
/** More than reading back most hours takes. */
const LINK_MILLIS = 60_000;

export interface ArchiveReport extends Archived {
  /** The links that were read back. */
  readonly verified: number;
}

/**
 * Archives the hours that have closed, and reads back what was written. If an invocation is killed at any step, or
 * overlaps with another one, the next invocation can continue.
 */
export async function onArchive(dependencies: ArchiveDependencies, context: RemainingTime): Promise<ArchiveReport> {
  const { clock, meta, count } = dependencies;
  const begin = clock.now();
  let archived: Archived | undefined;
  try {
    // First what an earlier invocation had no time for.
    const before = await verify(dependencies, context);
    archived = await archive(dependencies, context);
    const after = await verify(dependencies, context);
    return { ...archived, verified: before.links + after.links };
  } finally {
    const until = (await verifiedUntil(meta)) ?? (archived?.through === undefined ? begin : undefined);
    if (until !== undefined) count("ArchiveLagSeconds", Math.round((begin - until) / 1_000));
  }
}

async function archive(dependencies: ArchiveDependencies, context: RemainingTime): Promise<Archived> {
  const { log, meta, projections, store, clock, newId, standardDays, logger } = dependencies;
  const live = await liveStores(projections, meta);
  // A Job without a state may have expired by any of the rules.
  const { shortest: jobDays = standardDays } = await readRetentionRules({ meta, holds: [] }, standardDays);
  const archived = await archiveLog(
    { log, meta, ...live, store },
    {
      now: clock.now(),
      newId,
      jobDays,
      hasTime: () => context.getRemainingTimeInMillis() > HOUR_MILLIS,
      onLink: (link) => logger.info("A part of the log was archived.", fieldsOf(link)),
    },
  );
  logger.info("The log was archived.", { ...archived });
  return archived;
}

/** The head of the chain is in the function's log, which the archive's role cannot change. */
function fieldsOf({ sha256, manifest: { hour, kind, counts } }: ChainLink) {
  return { hour, kind, sha256, counts };
}

async function verify(
  { store, meta, count, logger }: ArchiveDependencies,
  context: RemainingTime,
): Promise<VerifiedProgress> {
  const verified = await verifyProgress(
    { store, meta },
    { hasTime: () => context.getRemainingTimeInMillis() > LINK_MILLIS },
  );
  for (const problem of verified.problems) logger.error("The archive has a problem.", { ...problem });
  count("ArchiveProblems", verified.problems.length);
  return verified;
}
