import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import type { EventLog } from "../event-log.ts";
import { OutliveFunction, type StageOfFunctions } from "../outlive-function.ts";
import type { Projection } from "../projection.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";

export interface RetainProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** @default 15 minutes */
  readonly every?: Duration;
}

/**
 * Allows the log and the tables of Jobs to delete expired items only while the archive has them. In a new stage nothing
 * is deleted until this function has run and the archive is verified. It also changes the expiry of stored Jobs after a
 * rule or a legal hold has changed.
 */
export class Retain extends Construct {
  readonly function: OutliveFunction;

  constructor(scope: Construct, id: string, props: RetainProps) {
    super(scope, id);
    const { stage, tracing, log, projection, storage, every = Duration.minutes(15) } = props;
    this.function = new OutliveFunction(this, "Retain", {
      name: "retain",
      stage,
      tracing,
      description: "Suspends the expiry of data that the archive does not have yet, and applies rules and holds",
      // The most that Lambda allows, for the Jobs of a cluster. A run continues where the last one ended.
      timeout: Duration.minutes(15),
      environment: { ...projection.environment, OUTLIVE_LOG_TABLE: log.table.tableName },
    });
    log.grantGuardExpiry(this.function);
    projection.grantGuardExpiry(this.function);
    projection.grantRenewExpiries(this.function);
    projection.grantWriteRecords(this.function);
    this.function.grantKey(storage.key);
    new Rule(this, "Schedule", {
      description: "Checks whether data may expire",
      schedule: Schedule.rate(every),
      targets: [new LambdaFunction(this.function.live, { retryAttempts: 0 })],
    });
  }
}
