import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { EventSourceMapping, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { grantJobStream } from "./grant-job-stream.ts";
import type { MetricSettings } from "./monitoring/metric-settings.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";

export interface CountProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly projection: Projection;
  readonly metrics: MetricSettings;
}

/**
 * How Lambda reads the streams. A batch costs a record of about ten write units, so it collects for a minute.
 *
 * With a tumbling window, an event names its shard, and Lambda invokes the function once more at the end of each
 * window: so it is the longest that there is (Lambda Developer Guide, "Implementing stateful DynamoDB stream
 * processing"). The function has no state in it.
 */
const STREAM_READING = {
  startingPosition: StartingPosition.TRIM_HORIZON,
  batchSize: 1_000,
  maxBatchingWindow: Duration.seconds(60),
  tumblingWindow: Duration.minutes(15),
  /** Lambda repeats what fails for as long as the stream has it: a record that was skipped would make counts wrong. */
  bisectBatchOnError: true,
};

/** Rows of Jobs and runs only, and not the pages of large Jobs. */
const ROWS = { dynamodb: { Keys: { sk: { S: ["S"] } } } };

/**
 * Counts the Jobs and runs of both projections from the streams of their tables. The mappings deliver writes, which the
 * function records once (src/count/record-batch.ts). The schedule adds what is recorded to the sums.
 */
export class Count extends Construct {
  readonly function: OutliveFunction;

  constructor(scope: Construct, id: string, { stage, tracing, projection, storage, metrics }: CountProps) {
    super(scope, id);
    this.function = new OutliveFunction(this, "Count", {
      name: "count",
      stage,
      tracing,
      description: "Counts Jobs for summaries and metrics",
      // A running function reserves the counts for six minutes (src/count/count-jobs.ts).
      timeout: Duration.minutes(5),
      memory: 1024,
      environment: {
        ...projection.environment,
        OUTLIVE_METRICS_MAX_SERIES: String(metrics.metricsMaxSeries),
        OUTLIVE_JOB_METRICS: metrics.jobMetrics,
      },
    });
    projection.grantReadJobs(this.function);
    projection.grantReadRuns(this.function);
    projection.grantWriteRecords(this.function);
    this.function.grantKey(storage.key);
    const { jobsA, jobsB, runsA, runsB } = projection;
    for (const table of [jobsA, jobsB, runsA, runsB]) {
      new EventSourceMapping(this, `${table.node.id}Stream`, {
        ...STREAM_READING,
        target: this.function.live,
        eventSourceArn: grantJobStream(this.function, table),
        filters: [{ pattern: JSON.stringify(ROWS) }],
      });
    }
    new Rule(this, "Schedule", {
      description: "Counts new Jobs",
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(this.function.live, { retryAttempts: 0 })],
    });
  }
}
