import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { OutliveFunction } from "./outlive-function.ts";
import { type Projection, WRITE_JOBS } from "./projection.ts";
import type { StoragePolicy } from "./storage-policy.ts";

export interface SweepProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly projection: Projection;
  /** How often. What only time decides (a deadline passed, a cluster gone silent) is noticed this late in lists; an answer about one Job is always of now. @default 5 minutes */
  readonly every?: Duration;
}

/** Looks at what only time changes: deadlines, Pods that nobody sees any more, clusters that are silent. */
export class Sweep extends Construct {
  readonly function: OutliveFunction;

  constructor(scope: Construct, id: string, props: SweepProps) {
    super(scope, id);
    const { stage, projection, storage, every = Duration.minutes(5) } = props;
    const timeout = Duration.minutes(5);
    this.function = new OutliveFunction(this, "Sweep", {
      name: "sweep",
      stage,
      description: "Notices what only time decides: deadlines, phantom Pods, silent clusters",
      timeout,
      environment: projection.environment,
    });
    projection.letReadJobs(this.function);
    this.function.allow(WRITE_JOBS, [projection.jobsA.tableArn, projection.jobsB.tableArn]);
    projection.letKeepRecords(this.function);
    this.function.useKey(storage.key);
    new Rule(this, "Schedule", {
      description: "Runs the sweep",
      schedule: Schedule.rate(every),
      targets: [new LambdaFunction(this.function.lambda, { retryAttempts: 0 })],
    });
  }
}
