import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";
import type { TrialProjectors } from "./projectors/trial-projectors.ts";

export interface AuditProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Which also write the projection that is compared, while it answers. @default none */
  readonly trial?: TrialProjectors | undefined;
  /** @default 15 minutes: with the quarter of an hour that the audit waits, an item is compared within an hour */
  readonly every?: Duration;
}

/**
 * Compares the log with the projection and queues missing log items to be projected again (docs/architecture.md,
 * invariant 3).
 */
export class Audit extends Construct {
  readonly function: OutliveFunction<"audit">;

  constructor(scope: Construct, id: string, props: AuditProps) {
    super(scope, id);
    const { stage, tracing, log, projection, trial, storage, every = Duration.minutes(15) } = props;
    this.function = new OutliveFunction(this, "Audit", {
      name: "audit",
      stage,
      tracing,
      description: "Compares the log with the projection",
      timeout: Duration.minutes(15),
      memory: 1024,
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_REFOLD_QUEUE_URL: projection.refolds.queue.queueUrl,
        ...(trial && { OUTLIVE_TRIAL_REFOLD_QUEUE_URL: trial.refolds.queue.queueUrl }),
      },
    });
    log.grantRead(this.function);
    projection.grantReadJobs(this.function);
    projection.grantReadRuns(this.function);
    projection.grantWriteRecords(this.function);
    this.function.grantKey(storage.key);
    projection.refolds.grantSend(this.function);
    trial?.refolds.grantSend(this.function);
    new Rule(this, "Schedule", {
      description: "Runs the audit",
      schedule: Schedule.rate(every),
      targets: [new LambdaFunction(this.function.live, { retryAttempts: 0 })],
    });
  }
}
