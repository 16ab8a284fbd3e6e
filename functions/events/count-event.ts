import { type Counted, SETTLE_MS } from "../../src/count/count-jobs.ts";
import { countProjections, type JobMetricSettings } from "../../src/count/count-projections.ts";
import { type Verified, verifyCounts } from "../../src/count/verify-counts.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { countSchedules, type CountedSchedules } from "../../src/count/metrics/schedules/count-schedules.ts";
import type { RecentFindings } from "../../src/query/cron-jobs/recent-findings.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { ProjectionName, Projections } from "../../src/ports/projections.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { FunctionRuntime } from "../lambda/function-runtime.ts";
import type { RemainingTime } from "../lambda/retry-until.ts";

/** The schedule, or a person. */
export interface ScheduledCount {
  /** The stream lost writes: counts everything again from the stored Jobs. @default false */
  readonly again?: boolean;
}

export interface CountDependencies {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly clock: Pick<Clock, "now">;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly count: CountMetric;
  readonly logger: Journal;
  readonly metrics: JobMetricSettings;
  readonly publishOf: FunctionRuntime["publishOf"];
  /** What CronJobs have shown is remembered between runs. */
  readonly recent: RecentFindings;
}

export interface CountReport {
  readonly counted: Readonly<Record<ProjectionName, Counted>>;
  readonly verified: Verified;
  readonly schedules: CountedSchedules;
}

/** More than a round takes, or a verification with its pause: none starts that Lambda would interrupt. */
const ROUND_MILLIS = SETTLE_MS + 60_000;

/** Schedules need less: what a run has found is written within seconds. */
const SCHEDULE_MILLIS = 30_000;
/** How often schedules are counted: each time reads the records of all CronJobs. */
const SCHEDULES_EVERY_MILLIS = 5 * 60_000;

/**
 * Counts the recorded writes of both projections. Then it counts one hour of the live one again, from its Jobs, and
 * what became of the due times of CronJobs.
 */
export async function onCount(
  dependencies: CountDependencies,
  { again = false }: ScheduledCount,
  context: RemainingTime,
): Promise<CountReport> {
  const { projections, meta, clock, pause, count, logger, metrics } = dependencies;
  const hasTime = () => context.getRemainingTimeInMillis() > ROUND_MILLIS;
  const run = { now: () => clock.now(), hasTime, pause, again };
  const pointer = await readLivePointer(meta);
  const { live } = pointer;
  const stage = await countProjections({ meta, projections, metrics }, pointer, run);
  const { counted } = stage;
  for (const { cluster, figures } of stage.published) {
    if (cluster !== undefined) dependencies.publishOf(cluster, figures);
    else for (const [name, figure] of figures) count(name, figure);
  }
  count("UncountedSeconds", Math.round(counted[live].behindMillis / 1_000));
  const ports = { meta, projection: live, jobs: projections.open(live), metrics: stage.live };
  const verified = await verifyCounts(ports, run);
  count("CountMismatches", verified.mismatches);
  if (verified.mismatches > 0) logger.error("Counts of Jobs were wrong, and were corrected.", { ...verified });
  const schedules = await countSchedules(ports, {
    now: clock.now(),
    maxSeries: metrics.maxSeries,
    recent: dependencies.recent,
    everyMillis: SCHEDULES_EVERY_MILLIS,
    hasTime: () => context.getRemainingTimeInMillis() > SCHEDULE_MILLIS,
  });
  logger.info("Jobs were counted.", { live, counted: counted[live], verified, schedules });
  return { counted, verified, schedules };
}
