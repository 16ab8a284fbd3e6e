import { STANDARD_MAX_SERIES } from "../../src/ports/deployment/limits.ts";
import { type Context, flagOf, invalidValue, numberOf, textOf } from "../context-values.ts";

/** The metrics of Jobs. Each field is a context value of the same name. */
export interface MetricSettings {
  /**
   * How many series the Jobs of all clusters have in `GET /v1/metrics`: label sets, each with all buckets of its
   * histogram. Beyond it, new owners are summed as `other`. 100 to 100,000. @default 10000
   */
  readonly metricsMaxSeries: number;
  /**
   * Which metrics of Jobs CloudWatch gets: `stage`, eleven for the stage; `cluster`, eleven more for each of at most
   * 50 clusters; `none`. CloudWatch charges each by the month (docs/metrics.md). @default "stage"
   */
  readonly jobMetrics: "none" | "stage" | "cluster";
  /** Whether failed Jobs, missed runs and needless runs raise alarms of CloudWatch. @default false */
  readonly jobAlarms: boolean;
}

const JOB_METRICS = { pattern: /^(none|stage|cluster)$/, form: "none, stage or cluster" };

export function readMetrics(context: Context): MetricSettings {
  const jobAlarms = flagOf(context, "jobAlarms");
  const jobMetrics = textOf(context, "jobMetrics", JOB_METRICS);
  if (jobAlarms && jobMetrics === "none") throw invalidValue("jobAlarms", "false where jobMetrics is none", jobAlarms);
  return {
    jobAlarms,
    metricsMaxSeries: numberOf(context, "metricsMaxSeries", {
      least: 100,
      most: 100_000,
      default: STANDARD_MAX_SERIES,
    }),
    jobMetrics: jobMetrics === "none" || jobMetrics === "cluster" ? jobMetrics : "stage",
  };
}
