import { Duration } from "aws-cdk-lib";
import { ArnPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { acceptPattern } from "./nag-suppression.ts";
import type { EventLog } from "./event-log.ts";
import { RetainedBucket } from "./retained-bucket.ts";
import { OutliveFunction } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import type { StoragePolicy } from "./storage-policy.ts";
import { WorkQueue } from "./work-queue.ts";

export interface IngestProps {
  readonly storage: StoragePolicy;
  readonly stage: string;
  readonly log: EventLog;
  readonly projection: Projection;
  /** For how many days a Job is kept after it ended; log items live 30 days longer. @default 400 */
  readonly retentionDays?: number;
  /** Whether anybody who can send may speak for any cluster. @default false */
  readonly openMode?: boolean;
  /** Principals of other accounts that may send. @default none */
  readonly senderArns?: readonly string[];
  /** Batches under way at once, 2 to 1,000. @default 10: some 1,000 segments a second */
  readonly concurrency?: number;
  /** Keeps this concurrency free for it. @default false */
  readonly reserveConcurrency?: boolean;
}

/** Ten segments take well under a second; a redrive brings up to 6 MB of them at once. */
const TIMEOUT = Duration.seconds(30);
/** When a function was killed, its messages come again after this. One that comes too soon comes twice, and that is nothing: it is in the log. */
const HIDDEN_FOR = Duration.seconds(60);

/**
 * The way in: a standard queue, which SQS shares fairly among the clusters because every message carries its cluster as `MessageGroupId` (fair queues: a
 * cluster with a backlog does not delay the others), the function that appends each segment to the log, and what it sets aside.
 */
export class Ingest extends Construct {
  readonly segments: WorkQueue;
  readonly function: OutliveFunction;
  readonly setAside: RetainedBucket;

  constructor(scope: Construct, id: string, props: IngestProps) {
    super(scope, id);
    const {
      storage,
      stage,
      log,
      projection,
      retentionDays = 400,
      openMode = false,
      senderArns = [],
      concurrency = 10,
    } = props;
    this.segments = new WorkQueue(this, "Segments", {
      storage,
      functionTimeout: TIMEOUT,
      hiddenFor: HIDDEN_FOR,
    });
    this.setAside = new RetainedBucket(this, "SetAside", { storage });
    this.function = new OutliveFunction(this, "Ingest", {
      name: "ingest",
      stage,
      description: "Appends each segment to the log, once; sets aside what is none",
      timeout: TIMEOUT,
      environment: {
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_META_TABLE: projection.meta.tableName,
        OUTLIVE_SET_ASIDE_BUCKET: this.setAside.bucket.bucketName,
        OUTLIVE_RETENTION_DAYS: `${retentionDays}`,
        OUTLIVE_OPEN_MODE: `${openMode}`,
      },
      ...(props.reserveConcurrency === true && { reservedConcurrency: concurrency }),
    });
    this.function.allow(["dynamodb:PutItem"], [log.table.tableArn]);
    projection.letKeepRecords(this.function);
    // GetObject for a redrive, which names what lies there.
    this.function.allow(["s3:PutObject", "s3:GetObject"], [this.setAside.bucket.arnForObjects("*")]);
    acceptPattern(this.function.role, this.setAside.bucket, "/*", "A message that is set aside is named by its hash.");
    this.function.useKey(storage.key);
    this.segments.feed(this.function, { batchSize: 10, concurrency });
    if (senderArns.length > 0) this.#letSend(senderArns);
  }

  #letSend(arns: readonly string[]): void {
    this.segments.queue.addToResourcePolicy(
      new PolicyStatement({
        sid: "ExportersOfOtherAccountsSend",
        effect: Effect.ALLOW,
        principals: arns.map((arn) => new ArnPrincipal(arn)),
        actions: ["sqs:SendMessage", "sqs:GetQueueAttributes"],
        resources: [this.segments.queue.queueArn],
      }),
    );
  }
}
