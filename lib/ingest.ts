import { Duration, Stack } from "aws-cdk-lib";
import { Grant, type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { GRANTS } from "../src/ports/deployment/grants.ts";
import { DEFAULT_RETENTION_DAYS } from "../src/ports/deployment/retention.ts";
import { MAX_RECEIVES } from "../src/ports/deployment/limits.ts";
import { type CapacitySettings, ingestReservation, REDRIVE_CONCURRENCY } from "./capacity/capacity-settings.ts";
import { allowRegistrations } from "./access/allow-registrations.ts";
import { triedVersions } from "./canary.ts";
import type { EventLog } from "./event-log.ts";
import { acceptPattern } from "./nag-suppression.ts";
import { OutliveFunction, type StageOfFunctions } from "./outlive-function.ts";
import type { Projection } from "./projection.ts";
import { RetainedBucket } from "./storage/retained-bucket.ts";
import type { ArchiveSettings } from "./archive/archive-settings.ts";
import type { StoragePolicy } from "./storage/storage-policy.ts";
import { WorkQueue } from "./work-queue.ts";

export interface IngestProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** For how many days a Job is kept after it ended; log items live 30 days longer. @default 400 */
  readonly retentionDays?: number;
  /** For how many days an archived log is kept. @default 30 days longer than Jobs */
  readonly archive?: Pick<ArchiveSettings, "logDays">;
  /** Whether any principal that can send to the queue may send for any cluster. @default false */
  readonly openMode?: boolean;
  readonly capacity: CapacitySettings;
  /** Whether new versions are tried first (lib/canary.ts). @default false */
  readonly canary?: boolean;
}

/** Ten segments take well under a second; a redrive sends up to 6 MB of them at once. */
const TIMEOUT = Duration.seconds(30);
/**
 * SQS redelivers the messages of a function that was killed after this time. A message that is delivered twice is
 * logged once.
 */
const VISIBILITY_TIMEOUT = Duration.seconds(60);

/**
 * The entry for segments: a standard queue, the function that appends each segment to the log, and a bucket for what it
 * sets aside. Each message has its cluster as `MessageGroupId` (SQS fair queues), so that one cluster's backlog delays
 * no other.
 */
export class Ingest extends Construct {
  readonly segments: WorkQueue;
  readonly function: OutliveFunction<"ingest">;
  readonly setAside: RetainedBucket;
  /** Feeds the dead letters to the function, while `outlive redrive` enables it. */
  readonly redrive: EventSourceMapping;
  readonly #key: IKey | undefined;

  constructor(scope: Construct, id: string, props: IngestProps) {
    super(scope, id);
    const { storage, log, projection, capacity } = props;
    this.#key = storage.key;
    this.segments = new WorkQueue(this, "Segments", {
      storage,
      functionTimeout: TIMEOUT,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      maxReceiveCount: MAX_RECEIVES,
    });
    this.setAside = new RetainedBucket(this, "SetAside", { storage });
    this.function = this.#createFunction(props);
    log.grantAppend(this.function);
    projection.grantWriteRecords(this.function);
    this.#grantSetAside();
    this.function.grantKey(storage.key);
    this.segments.feed(this.function, {
      batchSize: 10,
      concurrency: capacity.ingestConcurrency,
      batchSeconds: capacity.ingestBatchSeconds,
    });
    this.function.allow(GRANTS.postponeMessages, [this.segments.queue.queueArn]);
    this.redrive = this.#mapDeadLetters();
    allowRegistrations(this.function, { stage: props.stage, kind: "senders" });
  }

  /** Accepts deletions of these clusters from the function that reads audit logs, by the unique id of its role. */
  admitAuditLogs(principalId: string, groups: string): void {
    this.function.setVariable("OUTLIVE_AUDIT_LOGS_PRINCIPAL", principalId);
    this.function.setVariable("OUTLIVE_AUDIT_LOG_GROUPS", groups);
  }

  #createFunction(props: IngestProps): OutliveFunction<"ingest"> {
    const {
      stage,
      tracing,
      log,
      projection,
      capacity,
      retentionDays = DEFAULT_RETENTION_DAYS,
      openMode = false,
      archive,
      canary,
    } = props;
    return new OutliveFunction(this, "Ingest", {
      name: "ingest",
      stage,
      tracing,
      description: "Appends each segment to the log once, and sets aside messages that are not valid segments",
      timeout: TIMEOUT,
      versions: triedVersions(canary),
      // The policy names the log, and the policy of the log names the role.
      hasOwnPolicy: true,
      environment: {
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_META_TABLE: projection.meta.tableName,
        OUTLIVE_SEGMENT_QUEUE_URL: this.segments.queue.queueUrl,
        OUTLIVE_SET_ASIDE_BUCKET: this.setAside.bucket.bucketName,
        OUTLIVE_RETENTION_DAYS: `${retentionDays}`,
        ...(archive !== undefined && { OUTLIVE_LOG_DAYS: `${archive.logDays}` }),
        OUTLIVE_PACK_SHARDS: `${capacity.packShards}`,
        OUTLIVE_OPEN_MODE: `${openMode}`,
      },
      ...(capacity.reserveConcurrency && { reservedConcurrency: ingestReservation(capacity) }),
    });
  }

  /**
   * SQS keeps the sender of a message that it moves to the dead-letter queue itself. StartMessageMoveTask would send it
   * as a new message, whose sender is the principal that started the task.
   */
  #mapDeadLetters(): EventSourceMapping {
    const { queueArn } = this.segments.deadLetters;
    this.function.allow(GRANTS.receiveMessages, [queueArn]);
    return new EventSourceMapping(this, "Redrive", {
      target: this.function.live,
      eventSourceArn: queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: REDRIVE_CONCURRENCY,
      enabled: false,
    });
  }

  #grantSetAside(): void {
    const { bucket } = this.setAside;
    this.function.allow(GRANTS.keepLargeMessages, [bucket.arnForObjects("*")]);
    acceptPattern(this.function.role, { owner: bucket, pattern: "/*" }, "The hash of a message is its object's name.");
  }

  /**
   * Lets a principal send. SQS encrypts a message with the permissions of its sender. One of this account gets them in
   * its own policy, which the key's policy permits (the account's root). One of another account needs both, and its own
   * policy is not ours to write. SQS data keys are reused for an hour, and the key can be used through SQS only.
   */
  grantSend(grantee: IGrantable): Grant {
    const { queue } = this.segments;
    const granted = Grant.addToPrincipalOrResource({
      grantee,
      actions: [...GRANTS.sendSegments],
      resourceArns: [queue.queueArn],
      resource: queue,
    });
    if (this.#key === undefined) return granted;
    const viaService = `sqs.${Stack.of(this).region}.amazonaws.com`;
    const encrypt = {
      actions: [...GRANTS.encryptSegments],
      conditions: { StringEquals: { "kms:ViaService": viaService } },
    };
    const { grantPrincipal } = grantee;
    const own = grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ ...encrypt, resources: [this.#key.keyArn] }));
    if (!own.statementAdded) {
      // The policy of a key applies to this key only.
      const ofKey = new PolicyStatement({ ...encrypt, principals: [grantPrincipal], resources: ["*"] });
      this.#key.addToResourcePolicy(ofKey);
    }
    return granted;
  }
}
