import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { runNames } from "../../parents/cron-job/cron-lineage.ts";
import type { ObservedRun } from "../../parents/cron-job/cron-findings.ts";
import { type CronPlan, nextPlannedTime, plannedTimes } from "../../parents/cron-job/cron-plan.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { cronRun, observedRun } from "./cron-run.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";

/** How many due times of a CronJob are considered. */
export const RECENT = 10;
const HOUR = 3_600_000;
/**
 * How far back due times since an earlier call are considered: eight days, or 11,520 due times of a CronJob that runs
 * every minute.
 */
const LONGEST_LOOK = 8 * 24 * HOUR;
const MAX_TIMES = 12_000;
/**
 * The spans to search, one after the other: a CronJob that runs every minute needs only the first, a yearly one the
 * last.
 */
const SPANS = [HOUR, 12 * HOUR, 48 * HOUR, 14 * 24 * HOUR, 70 * 24 * HOUR, 400 * 24 * HOUR];

export interface CronJobName {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
}

export interface RecentRange {
  readonly now: Instant;
  /** @default the last due times only */
  readonly since?: Instant | undefined;
}

interface RecentTimes {
  readonly plan: string;
  readonly times: readonly Instant[];
  readonly nextAt: Instant;
}

/** A run that ended within this time is read again: facts that arrive late may change its state. */
const SETTLED_MILLIS = 15 * 60_000;

/**
 * The last due times of CronJobs, and their runs. The controller names a run after its due time, so that each is read
 * by its name. Times are remembered until the next one, and runs that ended some time ago as long as they are recent.
 */
export class RecentRuns {
  readonly #times = new Map<string, RecentTimes>();
  readonly #ended = new Map<string, ReadonlyMap<Instant, ObservedRun>>();

  /** The last due times until `now`, in order. With `since`, all due times after it, if there are more. */
  timesOf(id: string, plan: CronPlan, { now, since = now }: RecentRange): readonly Instant[] {
    const recent = this.#lastTimesOf(id, plan, now);
    const [first] = recent;
    if (first === undefined || recent.length < RECENT || since >= first) return recent;
    // What was due before its first observation is unknown.
    const after = Math.max(since, now - LONGEST_LOOK, plan.observedFrom);
    return plannedTimes(plan, { after: Math.min(after, first - 1), until: now, limit: MAX_TIMES }).map(({ at }) => at);
  }

  #lastTimesOf(id: string, plan: CronPlan, now: Instant): readonly Instant[] {
    const text = JSON.stringify(plan.spans);
    const known = this.#times.get(id);
    if (known?.plan === text && now < known.nextAt) return known.times;
    const times = lastTimes(plan, now);
    this.#times.set(id, { plan: text, times, nextAt: nextPlannedTime(plan, now) ?? Infinity });
    return times;
  }

  /** The runs of due times, as far as they exist. */
  async runsOf(
    id: string,
    cronJob: CronJobName,
    { jobs, times, now }: { readonly jobs: JobStore; readonly times: readonly Instant[]; readonly now: Instant },
  ): Promise<readonly ObservedRun[]> {
    const known = this.#ended.get(id);
    const runs = new Map<Instant, ObservedRun>();
    for (const at of times) {
      const run = known?.get(at) ?? (await readRun(jobs, cronJob, at));
      if (run !== undefined) runs.set(at, run);
    }
    const settled = [...runs].filter(([, { endedAt = Infinity }]) => endedAt + SETTLED_MILLIS <= now);
    this.#ended.set(id, new Map(settled));
    return [...runs.values()];
  }

  /** Forgets CronJobs that are not among these. */
  keep(ids: ReadonlySet<string>): void {
    for (const remembered of [this.#times, this.#ended]) {
      for (const id of remembered.keys()) if (!ids.has(id)) remembered.delete(id);
    }
  }
}

function lastTimes(plan: CronPlan, now: Instant): readonly Instant[] {
  let times: readonly Instant[] = [];
  for (const span of SPANS) {
    times = plannedTimes(plan, { after: now - span, until: now, limit: 1_000 }).map(({ at }) => at);
    if (times.length >= RECENT) break;
  }
  return times.slice(-RECENT);
}

async function readRun(jobs: JobStore, { name: cronJob, ...place }: CronJobName, at: Instant) {
  for (const name of runNames(cronJob, at)) {
    const { rows } = await jobs.listByName({ ...place, name }, { limit: 1 });
    const job = rows[0] && readSummary(rows[0]);
    // A manual run may have this name, and no due time.
    if (job?.owner?.name === cronJob && parseInstant(job.scheduledAt) === at) {
      return { ...observedRun(cronRun(job)), labels: { ...job.annotations, ...job.labels } };
    }
  }
  return undefined;
}
