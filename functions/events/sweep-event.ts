import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Journal } from "../../src/runtime/journal.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import { type Swept, sweepJobs } from "../../src/sweep/sweep-jobs.ts";
import { watchClusters } from "../../src/sweep/watch-clusters.ts";
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

/** Detects what changes only with time: first for clusters, which have alarms, then for Jobs. */
export async function onSweep(dependencies: SweepDependencies, context: RemainingTime): Promise<Swept> {
  const { projections, meta, clock, count, logger } = dependencies;
  const now = clock.now();
  const { silent, gaps } = await watchClusters(meta, now);
  count("SilentClusters", silent.length);
  count("OpenGaps", gaps.length);
  for (const { cluster, since } of silent) {
    logger.warn("A cluster is silent.", { cluster, since: new Date(since).toISOString() });
  }
  const hasTime = () => context.getRemainingTimeInMillis() > PAGE_MILLIS;
  const swept = await sweepJobs({ jobs: await liveJobs(projections, meta), meta }, { now, hasTime });
  count("Writes", swept.rewritten);
  count("OldestUnsweptSeconds", Math.round((clock.now() - swept.sweptSince) / 1_000));
  logger.info("The live Jobs were swept.", { ...swept });
  return swept;
}
