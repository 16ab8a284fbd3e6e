import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { EventSourceMapping, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { FunctionEnvironment } from "../src/ports/deployment/settings/function-settings.ts";
import { GRANTS, RENEWED_ATTRIBUTES } from "../src/ports/deployment/grants.ts";
import type { ProjectorVersions } from "../src/ports/deployment/projector-versions.ts";
import { SET_ASIDE_PARTITIONS, writablePartitions } from "../src/ports/deployment/record-permissions.ts";
import { DEFAULT_RETENTION_DAYS } from "../src/ports/deployment/retention.ts";
import { JOBS_SCHEMA, META_SCHEMA, RUNS_SCHEMA } from "../src/ports/deployment/tables.ts";
import type { CapacitySettings } from "./capacity/capacity-settings.ts";
import type { EventLog } from "./event-log.ts";
import { acceptPattern } from "./nag-suppression.ts";
import type { OutliveFunction, StageOfFunctions } from "./outlive-function.ts";
import { createProject, createRefold, PROJECTOR } from "./projectors/create-projectors.ts";
import { RetainedBucket } from "./storage/retained-bucket.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";
import { createTable, indexArns, type TableOptions } from "./storage/table.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ProjectionProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  /** For how many days a Job is kept after it ended. @default 400 */
  readonly retentionDays?: number;
  /**
   * Seconds for which segments are collected before they are projected together. @default 0: each at once, in several
   * lanes
   */
  readonly foldSeconds?: number;
  readonly capacity: CapacitySettings;
  /** Who decides whether expired Jobs are deleted. @default "always" */
  readonly expires?: TableOptions["expires"];
  /**
   * Versions of the projectors that stay in use, while the deployed ones are tried beside them (lib/projectors).
   * @default the deployed ones are in use
   */
  readonly keepProjectors?: ProjectorVersions;
}

/** How Lambda reads the log's stream. */
const STREAM_READING = {
  startingPosition: StartingPosition.TRIM_HORIZON,
  /** With large segments, a batch ends earlier, at the payload limit of 6 MB. */
  batchSize: 100,
  bisectBatchOnError: true,
  reportBatchItemFailures: true,
  /**
   * Lambda's most, for a batch that throws, bisected down to one record. The function handles invalid records itself:
   * only an outage throws, and it may last for as long as the records do.
   */
  retryAttempts: 10_000,
  /** A stream keeps a record for 24 hours. Older records go to the bucket while Lambda can still read them. */
  maxRecordAge: Duration.hours(20),
} as const;

/** How a stream record names the service that deletes expired items (Developer Guide, "DynamoDB Streams and TTL"). */
const EXPIRED_BY = "dynamodb.amazonaws.com";
/**
 * Records that invoke the function: new items, and what Outlive never causes, which the function reports. Expired items
 * invoke nothing. A record that one filter accepts is delivered; a mapping has at most five (Lambda quotas).
 */
const ALL_BUT_EXPIRIES = [
  { eventName: ["INSERT", "MODIFY"] },
  { eventName: ["REMOVE"], userIdentity: { principalId: [{ exists: false }] } },
  { eventName: ["REMOVE"], userIdentity: { principalId: [{ "anything-but": [EXPIRED_BY] }] } },
] as const;

/** How a projector gets the log's stream. */
export type StreamFeeding = Pick<ProjectionProps, "log" | "foldSeconds" | "capacity">;

/**
 * The projection of the log: two tables of Jobs and two of runs (one of each answers while the other can be rebuilt),
 * the records beside them, the function that projects the log's stream, and the function that retries failed log items.
 */
export class Projection extends Construct {
  readonly jobsA: Table;
  readonly jobsB: Table;
  readonly runsA: Table;
  readonly runsB: Table;
  readonly meta: Table;
  readonly project: OutliveFunction;
  readonly refold: OutliveFunction<"refold">;
  /** Keys of log items to project again. */
  readonly refolds: WorkQueue;
  /** Stream records that Lambda gave up on. */
  readonly failedRecords: RetainedBucket;
  /** The variables of a function that reads the projection. */
  readonly environment: FunctionEnvironment<"sweep">;
  readonly #storage: StoragePolicy;

  constructor(scope: Construct, id: string, props: ProjectionProps) {
    super(scope, id);
    const { log, retentionDays = DEFAULT_RETENTION_DAYS, capacity, storage, expires = "always" } = props;
    this.#storage = storage;
    this.jobsA = createTable(this, "JobsA", { schema: JOBS_SCHEMA, storage, content: "jobs", expires });
    this.jobsB = createTable(this, "JobsB", { schema: JOBS_SCHEMA, storage, content: "jobs", expires });
    this.runsA = createTable(this, "RunsA", { schema: RUNS_SCHEMA, storage, content: "runs", expires });
    this.runsB = createTable(this, "RunsB", { schema: RUNS_SCHEMA, storage, content: "runs", expires });
    this.meta = createTable(this, "Meta", { schema: META_SCHEMA, storage, content: "records" });
    this.refolds = new WorkQueue(this, "Refolds", {
      storage,
      functionTimeout: PROJECTOR.refoldTimeout,
      maxReceiveCount: PROJECTOR.refoldReceives,
    });
    this.failedRecords = new RetainedBucket(this, "GivenUp", { storage });
    this.environment = {
      OUTLIVE_JOBS_TABLE_A: this.jobsA.tableName,
      OUTLIVE_JOBS_TABLE_B: this.jobsB.tableName,
      OUTLIVE_RUNS_TABLE_A: this.runsA.tableName,
      OUTLIVE_RUNS_TABLE_B: this.runsB.tableName,
      OUTLIVE_META_TABLE: this.meta.tableName,
      OUTLIVE_RETENTION_DAYS: `${retentionDays}`,
    };
    const { keepProjectors: kept } = props;
    this.project = createProject(this, props, {
      versions: kept === undefined ? "kept" : { version: kept.project },
      environment: { ...this.environment, OUTLIVE_REFOLD_QUEUE_URL: this.refolds.queue.queueUrl },
      description: "Projects new log items into Job states",
    });
    this.refold = createRefold(this, props, {
      versions: kept === undefined ? "kept" : { version: kept.refold },
      environment: { ...this.environment, OUTLIVE_LOG_TABLE: log.table.tableName },
      description: "Retries log items that could not be projected",
    });
    for (const writer of [this.project, this.refold]) this.#grantProject(writer);
    log.grantRead(this.refold);
    this.feedStream(this.project, props);
    this.refolds.grantSend(this.project);
    this.refolds.feed(this.refold, { batchSize: PROJECTOR.refoldBatch, concurrency: capacity.refoldConcurrency });
  }

  /** The versions of the projectors in use: what `keepProjectors` takes. */
  get projectorVersions(): string {
    return [this.project, this.refold].map(({ alias }) => alias?.version.version).join(",");
  }

  /**
   * Invokes a projector with new log items. Two functions can read the stream of a table at the same time (DynamoDB
   * Developer Guide, "DynamoDB Streams and AWS Lambda triggers"): that in use, and that of a trial.
   */
  feedStream(projector: OutliveFunction, props: StreamFeeding): void {
    this.#grantStream(projector, props.log);
    this.#mapStream(projector, props);
  }

  /** Grants a function read access to both tables of Jobs and their indexes. */
  grantReadJobs(reader: OutliveFunction): void {
    reader.allow(GRANTS.readJobs, this.#jobsArns());
    reader.allow(GRANTS.readJobIndexes, indexArns([this.jobsA, this.jobsB], JOBS_SCHEMA));
  }

  /** Grants a function read access to both tables of runs and their indexes. */
  grantListRuns(reader: OutliveFunction): void {
    reader.allow(GRANTS.readJobs, this.#runsArns());
    reader.allow(GRANTS.readJobIndexes, indexArns([this.runsA, this.runsB], RUNS_SCHEMA));
  }

  /** Grants a function reading runs by their uids. */
  grantReadRuns(reader: OutliveFunction): void {
    reader.allow(GRANTS.readRuns, this.#runsArns());
  }

  /** Grants a function reading runs by their uids, and writing them. */
  grantWriteRuns(writer: OutliveFunction): void {
    this.grantReadRuns(writer);
    writer.allow(GRANTS.writeJobs, this.#runsArns());
  }

  grantWriteJobs(writer: OutliveFunction): void {
    writer.allow(GRANTS.writeJobs, this.#jobsArns());
  }

  /** Grants a function correcting a table of Jobs and one of runs from the log. */
  grantRebuild(writer: OutliveFunction): void {
    this.grantReadRuns(writer);
    writer.allow(GRANTS.rebuildJobs, [...this.#jobsArns(), ...this.#runsArns()]);
  }

  /** Grants a function suspending the expiry of all tables of Jobs and runs. */
  grantGuardExpiry(guard: OutliveFunction): void {
    guard.allow(GRANTS.guardExpiry, [...this.#jobsArns(), ...this.#runsArns()]);
  }

  /** Grants a function reading all Jobs and runs and changing the expiry of their items, but no other attribute. */
  grantRenewExpiries(retain: OutliveFunction): void {
    this.grantReadJobs(retain);
    this.grantListRuns(retain);
    retain.allowAttributes(GRANTS.renewExpiry, [...this.#jobsArns(), ...this.#runsArns()], RENEWED_ATTRIBUTES);
  }

  /** Grants a function reading records, except the bodies of messages that were set aside. */
  grantReadRecords(reader: OutliveFunction): void {
    reader.allow(GRANTS.readRecords, [this.meta.tableArn]);
    if (reader.name !== "ingest") reader.denyItems(GRANTS.readRecords, this.meta.tableArn, SET_ASIDE_PARTITIONS);
  }

  /** Grants a function reading records, and writing those of its kinds. */
  grantWriteRecords(writer: OutliveFunction, partitions = writablePartitions(writer.name)): void {
    this.grantReadRecords(writer);
    writer.allowItems(GRANTS.writeRecords, this.meta.tableArn, partitions);
  }

  #jobsArns(): readonly string[] {
    return [this.jobsA.tableArn, this.jobsB.tableArn];
  }

  #runsArns(): readonly string[] {
    return [this.runsA.tableArn, this.runsB.tableArn];
  }

  #grantProject(writer: OutliveFunction): void {
    this.grantReadJobs(writer);
    this.grantWriteJobs(writer);
    this.grantWriteRuns(writer);
    this.grantWriteRecords(writer);
    writer.grantKey(this.#storage.key);
  }

  #grantStream(projector: OutliveFunction, { table, streamArn }: EventLog): void {
    const { bucket } = this.failedRecords;
    projector.allow(GRANTS.readLogStream, [streamArn]);
    projector.allow(GRANTS.listLogStreams, [`${table.tableArn}/stream/*`]);
    projector.allow(GRANTS.writeFailedRecords, [bucket.arnForObjects("*")]);
    projector.allow(GRANTS.listFailedRecords, [bucket.bucketArn]);
    const { role } = projector;
    acceptPattern(
      role,
      { owner: table, pattern: "/stream/*" },
      "Lambda needs ListStreams on all streams of the table.",
    );
    acceptPattern(role, { owner: bucket, pattern: "/*" }, "Lambda chooses the names of the objects.");
  }

  /** With several lanes, only records of the same item are in order, and each log item has only one record. */
  #mapStream(projector: OutliveFunction, { log, foldSeconds = 0, capacity }: StreamFeeding): void {
    new EventSourceMapping(projector === this.project ? this : projector, "LogStream", {
      ...STREAM_READING,
      target: projector.live,
      eventSourceArn: log.streamArn,
      maxBatchingWindow: Duration.seconds(foldSeconds),
      parallelizationFactor: foldSeconds === 0 ? capacity.projectLanes : 1,
      filters: ALL_BUT_EXPIRIES.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      onFailure: { bind: () => ({ destination: this.failedRecords.bucket.bucketArn }) },
    });
  }
}
