import { SWEEP_SHARDS } from "../../src/ports/deployment/limits.ts";
import { readSweepEvent } from "../../src/ports/deployment/sweep-event.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { isTrialComplete } from "../../src/upkeep/replay/switch-projection.ts";
import { settleRows, type Swept, sweepJobs } from "../../src/upkeep/sweep/sweep-jobs.ts";
import { watchClusters } from "../../src/upkeep/sweep/watch-clusters.ts";
import type { RemainingTime } from "../lambda/retry-until.ts";

export interface SweepDependencies {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** More than a page takes: no page starts that Lambda would interrupt. */
const PAGE_MILLIS = 15_000;

/**
 * Detects what changes only with time: first for clusters, which have alarms, then for Jobs. The first shard watches
 * the clusters.
 */
export async function onSweep(
  dependencies: SweepDependencies,
  received: unknown,
  context: RemainingTime,
): Promise<readonly Swept[]> {
  const { shard } = readSweepEvent(received);
  const shards = shard === undefined ? Array.from({ length: SWEEP_SHARDS }, (_, index) => index) : [shard];
  const now = dependencies.clock.now();
  if (shards[0] === 0) await reportClusters(dependencies, now);
  const swept: Swept[] = [];
  for (const index of shards) swept.push(await sweepShard(dependencies, { now, index }, context));
  // Reported for all shards, so that a shard that does not run is noticed. The last shard has the latest state.
  const sweptSince = swept.at(-1)?.sweptSince ?? now;
  dependencies.count("OldestUnsweptSeconds", Math.round((dependencies.clock.now() - sweptSince) / 1_000));
  return swept;
}

async function reportClusters({ meta, count, logger }: SweepDependencies, now: Instant): Promise<void> {
  const { silent, gaps } = await watchClusters(meta, now);
  count("SilentClusters", silent.length);
  count("OpenGaps", gaps.length);
  for (const { cluster, since } of silent) {
    logger.warn("A cluster is silent.", { cluster, since: new Date(since).toISOString() });
  }
}

async function sweepShard(
  { projections, meta, count, logger }: SweepDependencies,
  { now, index }: { readonly now: Instant; readonly index: number },
  context: RemainingTime,
): Promise<Swept> {
  const hasTime = () => context.getRemainingTimeInMillis() > PAGE_MILLIS;
  const shard = { index, of: SWEEP_SHARDS };
  const { live, building } = await readLivePointer(meta);
  const swept = await sweepJobs({ jobs: projections.open(live), meta }, { now, hasTime, shard });
  // Both projections are swept during a trial, so that a switch needs only one write.
  if (building !== undefined && (await isTrialComplete(meta))) {
    await settleRows({ jobs: projections.open(building), meta }, { now, hasTime, shard });
  }
  count("Writes", swept.rewritten);
  logger.info("Live Jobs were swept.", { shard: index, ...swept });
  return swept;
}
