import { Duration } from "aws-cdk-lib";
import { AttributeType, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { EventSourceMapping, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acceptPattern } from "./nag-suppression.ts";
import { type EventLog, tableStorage } from "./event-log.ts";
import { RetainedBucket } from "./retained-bucket.ts";
import { OutliveFunction } from "./outlive-function.ts";
import type { StoragePolicy } from "./storage-policy.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ProjectionProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly log: EventLog;
  /** For how many days a Job is kept after it ended. @default 400 */
  readonly retentionDays?: number;
  /** For how many seconds new segments are collected before they are folded together, in one lane. @default 0: each as it comes, in ten */
  readonly foldSeconds?: number;
  /** Keeps concurrency free for the two functions. @default false */
  readonly reserveConcurrency?: boolean;
}

/** What a function that answers or folds does to the tables, and nothing else. No role may delete an item of them but `replay`, which empties the idle one. */
const READ_JOBS = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
export const WRITE_JOBS = ["dynamodb:PutItem"];
export const READ_META = ["dynamodb:GetItem", "dynamodb:Query"];
const WRITE_META = ["dynamodb:PutItem"];
/** Kinds of records that say who may speak and who may ask (src/ports/meta.ts): a person writes them by `outlive clusters register` and `outlive readers grant`, no function does. */
const RECORDS_OF_PERSONS = ["principal", "reader"];
export const READ_LOG = ["dynamodb:GetItem", "dynamodb:Query"];

const JOBS_INDEXES = ["list", "name", "attention"];
const TIMEOUT = Duration.minutes(5);
/** Ten log items at once. What fails is tried again after six times this long, five times: half an hour for a table that calms down. */
const REFOLD_TIMEOUT = Duration.minutes(1);
/** Lanes of one shard; AWS allows 1 to 10. Order holds per item then, and an item of the log comes once. */
const LANES = 10;
/** Records handed over at once. The payload's bound of 6 MB comes first when segments are large. */
const BATCH = 100;
/** Tries of a batch that throws, after it was halved down to one record. The function sets a bad record aside itself: what throws is a broken world. */
const RETRIES = 100;
/** A stream keeps a record for 24 hours. What is older than this goes to the bucket, while it can still be read. */
const LONGEST_AGE = Duration.hours(20);

/**
 * From the log to answers: the two tables of Jobs (A and B; one answers, the other can be rebuilt behind it), the records beside them, the function that
 * folds the log's stream into them, and the one that tries again what could not be folded.
 */
export class Projection extends Construct {
  readonly jobsA: Table;
  readonly jobsB: Table;
  readonly meta: Table;
  readonly project: OutliveFunction;
  readonly refold: OutliveFunction;
  readonly refolds: WorkQueue;
  /** Stream records that were given up, whole. */
  readonly givenUp: RetainedBucket;
  /** Where both tables and the records beside them are, for a function that reads them. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: ProjectionProps) {
    super(scope, id);
    const { stage, log, retentionDays = 400, foldSeconds = 0, reserveConcurrency = false, storage } = props;
    this.jobsA = this.#jobs("JobsA", storage);
    this.jobsB = this.#jobs("JobsB", storage);
    this.meta = new Table(this, "Meta", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      timeToLiveAttribute: "ttl",
      ...tableStorage(storage),
    });
    this.refolds = new WorkQueue(this, "Refolds", { storage, functionTimeout: REFOLD_TIMEOUT });
    this.givenUp = new RetainedBucket(this, "GivenUp", { storage });
    this.environment = {
      OUTLIVE_JOBS_TABLE_A: this.jobsA.tableName,
      OUTLIVE_JOBS_TABLE_B: this.jobsB.tableName,
      OUTLIVE_META_TABLE: this.meta.tableName,
      OUTLIVE_RETENTION_DAYS: `${retentionDays}`,
    };
    const folds = { stage, memory: 1024 };
    this.project = new OutliveFunction(this, "Project", {
      ...folds,
      name: "project",
      timeout: TIMEOUT,
      environment: { ...this.environment, OUTLIVE_REFOLD_QUEUE_URL: this.refolds.queue.queueUrl },
      description: "Folds new log items into the Jobs' states",
      ...(reserveConcurrency && { reservedConcurrency: 2 * LANES }),
    });
    this.refold = new OutliveFunction(this, "Refold", {
      ...folds,
      name: "refold",
      timeout: REFOLD_TIMEOUT,
      environment: { ...this.environment, OUTLIVE_LOG_TABLE: log.table.tableName },
      description: "Folds again the log items that could not be folded",
      ...(reserveConcurrency && { reservedConcurrency: 2 }),
    });
    for (const each of [this.project, this.refold]) this.#letFold(each, storage);
    this.refold.allow(READ_LOG, [log.table.tableArn]);
    this.#followLog(log, foldSeconds);
    this.refolds.takeFrom(this.project);
    this.refolds.feed(this.refold, { batchSize: 10, concurrency: 2 });
  }

  /** Lets `reader` read both tables of Jobs and their indexes. */
  letReadJobs(reader: OutliveFunction): void {
    reader.allow(READ_JOBS, [this.jobsA.tableArn, this.jobsB.tableArn]);
    reader.allow(["dynamodb:Query"], [...indexArns(this.jobsA), ...indexArns(this.jobsB)]);
  }

  /** Lets `keeper` read the records beside the Jobs, and write all but those that only persons write: what took over a function must not give itself a voice. */
  letKeepRecords(keeper: OutliveFunction): void {
    keeper.allow([...READ_META, ...WRITE_META], [this.meta.tableArn]);
    keeper.denyItems(WRITE_META, this.meta.tableArn, RECORDS_OF_PERSONS);
  }

  #letFold(folder: OutliveFunction, { key }: StoragePolicy): void {
    this.letReadJobs(folder);
    folder.allow(WRITE_JOBS, [this.jobsA.tableArn, this.jobsB.tableArn]);
    this.letKeepRecords(folder);
    folder.useKey(key);
  }

  #followLog({ table }: EventLog, foldSeconds: number): void {
    const streamArn = table.tableStreamArn ?? "";
    this.project.allow(["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], [streamArn]);
    this.project.allow(["dynamodb:ListStreams"], [`${table.tableArn}/stream/*`]);
    this.project.allow(["s3:PutObject"], [this.givenUp.bucket.arnForObjects("*")]);
    this.project.allow(["s3:ListBucket"], [this.givenUp.bucket.bucketArn]);
    const { role } = this.project;
    acceptPattern(role, table, "/stream/*", "Lambda asks for ListStreams on all streams of the table.");
    acceptPattern(role, this.givenUp.bucket, "/*", "Lambda names the objects.");
    new EventSourceMapping(this, "LogStream", {
      target: this.project.lambda,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: BATCH,
      maxBatchingWindow: Duration.seconds(foldSeconds),
      parallelizationFactor: foldSeconds === 0 ? LANES : 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: RETRIES,
      maxRecordAge: LONGEST_AGE,
      onFailure: { bind: () => ({ destination: this.givenUp.bucket.bucketArn }) },
    });
  }

  #jobs(id: string, storage: StoragePolicy): Table {
    const table = new Table(this, id, {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      timeToLiveAttribute: "ttl",
      ...tableStorage(storage),
    });
    for (const name of JOBS_INDEXES) {
      table.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: { name: `${name}Pk`, type: AttributeType.STRING },
        sortKey: { name: "createdSk", type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    return table;
  }
}

function indexArns({ tableArn }: Table): readonly string[] {
  return JOBS_INDEXES.map((name) => `${tableArn}/index/${name}`);
}
