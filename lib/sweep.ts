import { Duration } from "aws-cdk-lib";
import { Rule, RuleTargetInput, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { SWEEP_SHARDS } from "../src/ports/deployment/limits.ts";
import type { SweepEvent } from "../src/ports/deployment/sweep-event.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";

export interface SweepProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly projection: Projection;
  /**
   * How often it runs. Lists show a change that only time causes (a deadline, a silent cluster) at most this much
   * later. An answer about a single Job is always current. @default 5 minutes
   */
  readonly every?: Duration;
}

/**
 * Detects changes that no fact reports: deadlines that pass, Pods that are no longer reported, and clusters that stop
 * reporting. Each shard has its own invocation.
 */
export class Sweep extends Construct {
  readonly function: OutliveFunction;

  constructor(scope: Construct, id: string, props: SweepProps) {
    super(scope, id);
    const { stage, tracing, projection, storage, every = Duration.minutes(5) } = props;
    this.function = new OutliveFunction(this, "Sweep", {
      name: "sweep",
      stage,
      tracing,
      description: "Detects what changes only with time: deadlines, phantom Pods, silent clusters",
      timeout: Duration.minutes(5),
      environment: projection.environment,
    });
    projection.grantReadJobs(this.function);
    projection.grantWriteJobs(this.function);
    projection.grantWriteRecords(this.function);
    this.function.grantKey(storage.key);
    new Rule(this, "Schedule", {
      description: "Runs the shards of the sweep",
      schedule: Schedule.rate(every),
      targets: Array.from({ length: SWEEP_SHARDS }, (_, shard) => {
        const event = RuleTargetInput.fromObject({ shard } satisfies SweepEvent);
        return new LambdaFunction(this.function.live, { event, retryAttempts: 0 });
      }),
    });
  }
}
