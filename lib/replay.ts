import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import type { EventLog } from "./event-log.ts";
import { OutliveFunction } from "./outlive-function.ts";
import { type Projection, READ_LOG, WRITE_JOBS } from "./projection.ts";
import type { StoragePolicy } from "./storage-policy.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ReplayProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly log: EventLog;
  readonly projection: Projection;
}

/** The longest that Lambda lets a function run. A replay of a month takes many of these: it keeps its position and sends itself a message. */
const TIMEOUT = Duration.minutes(15);

/**
 * Rebuilds the idle one of the two tables of Jobs from the log while the other answers, then switches. The only role that may delete from a table of Jobs,
 * because the idle one is emptied first; it may not write the log either.
 */
export class Replay extends Construct {
  readonly function: OutliveFunction;
  readonly turns: WorkQueue;

  constructor(scope: Construct, id: string, props: ReplayProps) {
    super(scope, id);
    const { storage, stage, log, projection } = props;
    this.turns = new WorkQueue(this, "Turns", { storage, functionTimeout: TIMEOUT });
    this.function = new OutliveFunction(this, "Replay", {
      name: "replay",
      stage,
      description: "Rebuilds the idle projection from the log, then switches to it",
      timeout: TIMEOUT,
      memory: 1769,
      sendsItself: true,
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_REPLAY_QUEUE_URL: this.turns.queue.queueUrl,
      },
    });
    const tables = [projection.jobsA.tableArn, projection.jobsB.tableArn];
    this.function.allow(READ_LOG, [log.table.tableArn]);
    projection.letReadJobs(this.function);
    this.function.allow([...WRITE_JOBS, "dynamodb:Scan", "dynamodb:BatchWriteItem"], tables);
    projection.letKeepRecords(this.function);
    this.function.useKey(storage.key);
    this.turns.takeFrom(this.function);
    this.turns.feed(this.function, { batchSize: 1, concurrency: 2 });
  }
}
