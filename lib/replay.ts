import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import { type CapacitySettings, REPLAY_CONCURRENCY } from "./capacity-settings.ts";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage-policy.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ReplayProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  readonly capacity: CapacitySettings;
}

/** Lambda's limit. A replay of a month takes many such turns: it stores a checkpoint and sends itself a message. */
const TIMEOUT = Duration.minutes(15);

/**
 * Rebuilds the idle table of Jobs from the log while the other one answers, then switches. Only its role can delete
 * items of these tables, because the idle table is emptied first. It has read access to the log.
 */
export class Replay extends Construct {
  readonly function: OutliveFunction;
  readonly turns: WorkQueue;

  constructor(scope: Construct, id: string, props: ReplayProps) {
    super(scope, id);
    const { storage, stage, tracing, log, projection, capacity } = props;
    this.turns = new WorkQueue(this, "Turns", { storage, functionTimeout: TIMEOUT });
    this.function = new OutliveFunction(this, "Replay", {
      name: "replay",
      stage,
      tracing,
      description: "Rebuilds the idle projection from the log, then switches to it",
      timeout: TIMEOUT,
      memory: 1769,
      sendsItself: true,
      ...(capacity.reserveConcurrency && { reservedConcurrency: REPLAY_CONCURRENCY }),
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_REPLAY_QUEUE_URL: this.turns.queue.queueUrl,
      },
    });
    log.grantRead(this.function);
    projection.grantReadJobs(this.function);
    projection.grantRebuildJobs(this.function);
    projection.grantWriteRecords(this.function);
    this.function.grantKey(storage.key);
    this.turns.grantSend(this.function);
    this.turns.feed(this.function, { batchSize: 1, concurrency: REPLAY_CONCURRENCY });
  }
}
