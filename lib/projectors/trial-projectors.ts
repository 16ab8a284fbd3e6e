import { Construct } from "constructs";
import { TRIAL_PARTITIONS } from "../../src/ports/deployment/record-permissions.ts";
import { type CapacitySettings, trialConcurrency } from "../capacity/capacity-settings.ts";
import type { EventLog } from "../event-log.ts";
import type { OutliveFunction, StageOfFunctions } from "../outlive-function.ts";
import type { Projection } from "../projection.ts";
import { createProject, createRefold, PROJECTOR } from "./create-projectors.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";
import { WorkQueue } from "../work-queue.ts";

export interface TrialProjectorsProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  readonly foldSeconds?: number;
  readonly capacity: CapacitySettings;
}

/**
 * The projectors of the deployed release beside those of an earlier one: the same code, which writes the other
 * projection and no records (src/projection/projector.ts). They have their own mapping of the log's stream, queue and
 * concurrency, so that they cannot delay the live projection.
 */
export class TrialProjectors extends Construct {
  readonly project: OutliveFunction;
  readonly refold: OutliveFunction<"refold">;
  readonly refolds: WorkQueue;
  /** The concurrent executions that the functions use. */
  readonly concurrency: number;

  constructor(scope: Construct, id: string, props: TrialProjectorsProps) {
    super(scope, id);
    const { storage, log, projection, capacity } = props;
    this.concurrency = trialConcurrency(capacity);
    this.refolds = new WorkQueue(this, "Refolds", {
      // The queue contains only keys of log items, and is deleted with the trial.
      storage: { ...storage, disposable: true },
      functionTimeout: PROJECTOR.refoldTimeout,
      maxReceiveCount: PROJECTOR.refoldReceives,
      deadLetters: projection.refolds.deadLetters,
    });
    const environment = { ...projection.environment, OUTLIVE_PROJECTOR: "trial" } as const;
    this.project = createProject(this, props, {
      environment: { ...environment, OUTLIVE_REFOLD_QUEUE_URL: this.refolds.queue.queueUrl },
      description: "Projects new log items into the projection of a trial",
    });
    this.refold = createRefold(this, props, {
      environment: { ...environment, OUTLIVE_LOG_TABLE: log.table.tableName },
      description: "Retries log items that could not be projected in a trial",
    });
    for (const writer of [this.project, this.refold]) {
      projection.grantReadJobs(writer);
      projection.grantWriteJobs(writer);
      projection.grantWriteRuns(writer);
      projection.grantWriteRecords(writer, TRIAL_PARTITIONS);
      writer.grantKey(storage.key);
    }
    log.grantRead(this.refold);
    projection.feedStream(this.project, props);
    this.refolds.grantSend(this.project);
    this.refolds.feed(this.refold, { batchSize: PROJECTOR.refoldBatch, concurrency: capacity.refoldConcurrency });
  }

  /** What alarms are about. */
  get monitored() {
    return { project: this.project.lambda, refold: this.refold.lambda, concurrency: this.concurrency };
  }
}
