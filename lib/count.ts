import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { GRANTS } from "../src/deployment/grants.ts";
import type { MetricSettings } from "./monitoring/metric-settings.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage-policy.ts";

export interface CountProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly projection: Projection;
  readonly metrics: MetricSettings;
}

/**
 * Counts the Jobs of both projections from the streams of their tables. It reads the streams itself: Lambda's own
 * reading of a stream repeats batches, and does not say which shard they are of.
 */
export class Count extends Construct {
  readonly function: OutliveFunction;

  constructor(scope: Construct, id: string, { stage, tracing, projection, storage, metrics }: CountProps) {
    super(scope, id);
    const { A, B } = projection.jobStreamArns;
    this.function = new OutliveFunction(this, "Count", {
      name: "count",
      stage,
      tracing,
      description: "Counts Jobs for summaries and metrics",
      // It holds the counts for six minutes (src/counts/count-jobs.ts).
      timeout: Duration.minutes(5),
      memory: 1024,
      environment: {
        ...projection.environment,
        OUTLIVE_JOBS_STREAM_A: A,
        OUTLIVE_JOBS_STREAM_B: B,
        OUTLIVE_METRICS_MAX_SERIES: String(metrics.metricsMaxSeries),
        OUTLIVE_JOB_METRICS: metrics.jobMetrics,
      },
    });
    projection.grantReadJobs(this.function);
    projection.grantWriteRecords(this.function);
    this.function.allow(GRANTS.readJobStreams, [A, B]);
    this.function.grantKey(storage.key);
    new Rule(this, "Schedule", {
      description: "Counts new Jobs",
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(this.function.live, { retryAttempts: 0 })],
    });
  }
}
