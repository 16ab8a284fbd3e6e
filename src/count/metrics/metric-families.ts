import type { Labels } from "../../ports/metric-store.ts";
import { reservedUnit } from "./reserved-amounts.ts";

/** One family of metrics: its name and meaning, and how its numbers are stored. */
export interface MetricFamily {
  readonly name: string;
  /** Stored with each series. The number of a removed family is never reused. */
  readonly number: number;
  readonly type: "gauge" | "counter" | "histogram";
  readonly help: string;
  /** Numbers are stored as integers, and shown divided by this. @default 1 */
  readonly divisor?: number;
  /** What one stored unit of a series is, in place of `divisor`. */
  readonly unitOf?: (labels: Labels) => number;
  /** The upper bounds of a histogram's buckets in seconds, without the last one, which is infinite. */
  readonly bounds?: readonly number[];
}

const SECONDS = { divisor: 1_000 } as const;
const MINUTE = 60;
const HOUR = 3_600;
const DURATIONS = [
  1,
  5,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const DELAYS = [1, 2, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR];

export const JOBS: MetricFamily = {
  name: "outlive_jobs",
  number: 1,
  type: "gauge",
  help: "Jobs that are not final yet and still exist, by state",
};
export const JOBS_FINISHED: MetricFamily = {
  name: "outlive_jobs_finished_total",
  number: 2,
  type: "counter",
  help: "Jobs that ended, each counted once",
};
export const JOB_DURATION: MetricFamily = {
  name: "outlive_job_duration_seconds",
  number: 3,
  type: "histogram",
  help: "Seconds from the start to the finish of finished Jobs",
  bounds: DURATIONS,
  ...SECONDS,
};
export const JOB_START_DELAY: MetricFamily = {
  name: "outlive_job_start_delay_seconds",
  number: 4,
  type: "histogram",
  help: "Seconds from the creation of a Job until its first Pod ran",
  bounds: DELAYS,
  ...SECONDS,
};
export const ATTEMPTS: MetricFamily = {
  name: "outlive_attempts_total",
  number: 5,
  type: "counter",
  help: "Pods that ended, each counted once",
};
export const FINDINGS: MetricFamily = {
  name: "outlive_findings",
  number: 6,
  type: "gauge",
  help: "Findings of Jobs that can still change, and of CronJobs",
};
export const FINDINGS_TOTAL: MetricFamily = {
  name: "outlive_findings_total",
  number: 7,
  type: "counter",
  help: "Findings so far, each kind once per Job or CronJob",
};
export const WASTED_SECONDS: MetricFamily = {
  name: "outlive_wasted_seconds_total",
  number: 8,
  type: "counter",
  help: "Running time of Pods that succeeded after their Job had all its completions",
  ...SECONDS,
};
export const CRON_JOB_LAST_SUCCESS: MetricFamily = {
  name: "outlive_cronjob_last_success_timestamp_seconds",
  number: 9,
  type: "gauge",
  help: "When the last successful run of the CronJob finished",
  ...SECONDS,
};
export const CRON_JOB_MISSED_RUNS: MetricFamily = {
  name: "outlive_cronjob_missed_runs_total",
  number: 10,
  type: "counter",
  help: "Scheduled times of the CronJob without a run, while the cluster was watched",
};
export const CRON_JOB_NEXT_RUN: MetricFamily = {
  name: "outlive_cronjob_next_run_timestamp_seconds",
  number: 11,
  type: "gauge",
  help: "When the CronJob is due next. Absent while it is suspended",
  ...SECONDS,
};
export const CLUSTER_LAST_HEARD: MetricFamily = {
  name: "outlive_cluster_last_heard_timestamp_seconds",
  number: 12,
  type: "gauge",
  help: "When the last data arrived from the cluster, by its clock",
  ...SECONDS,
};
export const GAP_SECONDS: MetricFamily = {
  name: "outlive_gap_seconds_total",
  number: 13,
  type: "counter",
  help: "Seconds in recorded monitoring gaps of the cluster",
  ...SECONDS,
};
export const METRICS_AS_OF: MetricFamily = {
  name: "outlive_metrics_as_of_timestamp_seconds",
  number: 14,
  type: "gauge",
  help: "Until when the Jobs of these metrics are counted. Absent where they are of this moment",
  ...SECONDS,
};

export const RUNS_FINISHED: MetricFamily = {
  name: "outlive_runs_finished_total",
  number: 15,
  type: "counter",
  help: "Runs that ended, such as JobSets, each counted once",
};

export const RESERVED_SECONDS: MetricFamily = {
  name: "outlive_reserved_seconds_total",
  number: 16,
  type: "counter",
  help: "What Pods of ended Jobs reserved: seconds of Pods, cores, bytes and units, by what became of that time",
  unitOf: ({ resource = "" }) => reservedUnit(resource),
};

/** All families, in the order of the exposition. */
export const METRIC_FAMILIES: readonly MetricFamily[] = [
  JOBS,
  JOBS_FINISHED,
  RUNS_FINISHED,
  JOB_DURATION,
  JOB_START_DELAY,
  ATTEMPTS,
  FINDINGS,
  FINDINGS_TOTAL,
  WASTED_SECONDS,
  RESERVED_SECONDS,
  CRON_JOB_LAST_SUCCESS,
  CRON_JOB_MISSED_RUNS,
  CRON_JOB_NEXT_RUN,
  CLUSTER_LAST_HEARD,
  GAP_SECONDS,
  METRICS_AS_OF,
];
