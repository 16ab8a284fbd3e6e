import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { IRole } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { GRANTS } from "../../src/ports/deployment/grants.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import type { ArchiveSettings } from "./archive-settings.ts";
import { ArchiveTables } from "./archive-tables.ts";
import type { EventLog } from "../event-log.ts";
import { acceptPattern } from "../nag-suppression.ts";
import { OutliveFunction, type StageOfFunctions } from "../outlive-function.ts";
import type { Projection } from "../projection.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";

export interface ArchiveProps extends StageOfFunctions {
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  readonly archive: ArchiveSettings;
  /** Whether a role may delete what it erases. @default false */
  readonly isErasable?: boolean;
  /** @default 15 minutes, which is the longest delay until a closed hour is archived */
  readonly every?: Duration;
}

/** Tables of the archive. Their parts are replaced by a compaction; segments and manifests never are. */
const TABLES = ["jobs", "runs", "attempts", "facts"] as const;

const KEYS_VARY = "The keys of the archive contain hours, clusters and hashes.";

/**
 * The archive of the log: a bucket, and the function that writes the hours that have closed. Its role cannot delete
 * segments and manifests, and the bucket refuses to replace an object.
 */
export class Archive extends Construct {
  readonly bucket: Bucket;
  readonly function: OutliveFunction;
  readonly tables: ArchiveTables;

  /** Grants a role the deletion of objects that it erases. The bucket's policy denies it to all other principals. */
  readonly admitEraser: (role: IRole) => void;

  constructor(scope: Construct, id: string, props: ArchiveProps) {
    super(scope, id);
    const { stage, tracing, log, projection, storage, archive, isErasable, every = Duration.minutes(15) } = props;
    const objects = new ArchiveBucket(this, "Objects", { storage, lockDays: archive.lockDays, isErasable });
    this.bucket = objects.bucket;
    this.admitEraser = (role) => objects.admitEraser(role);
    this.tables = new ArchiveTables(this, "Tables", { stage, storage, archive: this.bucket });
    this.function = new OutliveFunction(this, "Archive", {
      name: "archive",
      stage,
      tracing,
      description: "Archives closed hours of the log",
      timeout: Duration.minutes(15),
      // The most that a new account has. An hour takes some hundred MB, and one CPU (docs/archive.md).
      memory: 3_008,
      environment: {
        ...projection.environment,
        OUTLIVE_LOG_TABLE: log.table.tableName,
        OUTLIVE_ARCHIVE_BUCKET: this.bucket.bucketName,
      },
    });
    log.grantRead(this.function);
    projection.grantReadJobs(this.function);
    projection.grantReadRuns(this.function);
    projection.grantWriteRecords(this.function);
    this.#grantObjects();
    this.function.grantKey(storage.key);
    new Rule(this, "Schedule", {
      description: "Archives the hours that have closed",
      schedule: Schedule.rate(every),
      targets: [new LambdaFunction(this.function.live, { retryAttempts: 0 })],
    });
  }

  /** Grants a function read access to all objects of the archive. */
  open(reader: OutliveFunction<"query" | "refold" | "replay" | "audit">): void {
    reader.setVariable("OUTLIVE_ARCHIVE_BUCKET", this.bucket.bucketName);
    reader.allow(GRANTS.readArchive, [this.bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`)]);
    this.#grantList(reader);
    acceptPattern(reader.role, { owner: this.bucket, pattern: `/${ARCHIVE_FOLDER}/*` }, KEYS_VARY);
  }

  #grantList(reader: OutliveFunction): void {
    const conditions = { StringLike: { "s3:prefix": `${ARCHIVE_FOLDER}/*` } };
    reader.allowIf(GRANTS.listArchive, [this.bucket.bucketArn], conditions);
  }

  #grantObjects(): void {
    const { role } = this.function;
    const folder = this.bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`);
    this.function.allow(GRANTS.writeArchive, [folder]);
    const parts = TABLES.map((table) => this.bucket.arnForObjects(`${ARCHIVE_FOLDER}/${table}/*`));
    this.function.allow(GRANTS.compactArchive, parts);
    this.#grantList(this.function);
    for (const pattern of ["", ...TABLES.map((table) => `${table}/`)]) {
      const accepted = { owner: this.bucket, pattern: `/${ARCHIVE_FOLDER}/${pattern}*` };
      acceptPattern(role, accepted, KEYS_VARY);
    }
  }
}
