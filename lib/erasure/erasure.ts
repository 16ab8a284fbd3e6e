import type { Bucket } from "aws-cdk-lib/aws-s3";
import { AccountRootPrincipal, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { GRANTS } from "../../src/ports/deployment/grants.ts";
import type { OptionalOutput } from "../../src/ports/deployment/outputs.ts";
import { ERASABLE_PARTITIONS } from "../../src/ports/deployment/record-permissions.ts";
import { JOBS_SCHEMA, RUNS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import type { Archive } from "../archive/archive.ts";
import type { EventLog } from "../event-log.ts";
import { acceptPattern } from "../nag-suppression.ts";
import { KEY_USE } from "../outlive-function.ts";
import type { Projection } from "../projection.ts";
import type { StoragePolicy } from "../storage/storage-policy.ts";
import { indexArns } from "../storage/table.ts";

export interface ErasureProps {
  readonly stage: string;
  readonly storage: StoragePolicy;
  readonly log: EventLog;
  readonly projection: Projection;
  /** Large messages that were set aside. */
  readonly setAside: Bucket;
  /** Partial states of a replay. */
  readonly partialStates: Bucket;
  readonly deadLetters: IQueue;
  readonly archive: Archive | undefined;
}

const KEYS_VARY = "The keys contain hours, clusters and hashes.";

/**
 * The role with which `outlive erase --stage` removes data. It exists only while the setting `erasure` is deployed. No
 * function can assume it: only principals of this account whose own policies allow `sts:AssumeRole` on it.
 *
 * The policy of the log's table admits this role to UpdateItem, and no other principal. The policy of the archive's
 * bucket admits it to the deletion of versions.
 */
export class Erasure extends Construct {
  readonly role: Role;
  /** What the stage says of it. */
  readonly outputs: Readonly<Partial<Record<OptionalOutput, string>>>;

  constructor(scope: Construct, id: string, props: ErasureProps) {
    super(scope, id);
    const { stage, storage, log, setAside, projection, partialStates, archive, deadLetters } = props;
    this.role = new Role(this, "Role", {
      assumedBy: new AccountRootPrincipal(),
      description: `Erases data of Outlive's stage ${stage}`,
    });
    log.admitEraser(this.role);
    this.#allow([...GRANTS.readLog, ...GRANTS.rewriteLog], [log.table.tableArn]);
    this.#grantTables(projection);
    this.#allow(GRANTS.keepLargeMessages, [setAside.arnForObjects("*")]);
    const results = archive === undefined ? [] : [archive.tables.results];
    for (const bucket of [setAside, projection.failedRecords.bucket, partialStates, ...results]) {
      this.#grantErase(bucket, "*");
    }
    if (archive !== undefined) this.#grantArchive(archive);
    this.#allow(GRANTS.readDepth, [deadLetters.queueArn]);
    if (storage.key !== undefined) this.#allow(KEY_USE, [storage.key.keyArn]);
    this.outputs = {
      ErasureRole: this.role.roleArn,
      SetAsideBucket: setAside.bucketName,
      GivenUpBucket: projection.failedRecords.bucket.bucketName,
      ReplayBucket: partialStates.bucketName,
      ...(archive && { QueryResultsBucket: archive.tables.results.bucketName }),
    };
  }

  #grantTables({ jobsA, jobsB, runsA, runsB, meta }: Projection): void {
    this.#allow(
      [...GRANTS.readJobs, ...GRANTS.eraseJobs],
      [jobsA, jobsB, runsA, runsB].map(({ tableArn }) => tableArn),
    );
    this.#allow(GRANTS.readJobIndexes, indexArns([jobsA, jobsB], JOBS_SCHEMA));
    this.#allow(GRANTS.readJobIndexes, indexArns([runsA, runsB], RUNS_SCHEMA));
    this.#allow(GRANTS.readRecords, [meta.tableArn]);
    this.role.addToPolicy(
      new PolicyStatement({
        actions: [...GRANTS.writeRecords, ...GRANTS.eraseRecords],
        resources: [meta.tableArn],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...ERASABLE_PARTITIONS] } },
      }),
    );
  }

  #grantArchive({ bucket, admitEraser }: Archive): void {
    admitEraser(this.role);
    this.#allow(GRANTS.writeArchive, [bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`)]);
    this.#grantErase(bucket, `${ARCHIVE_FOLDER}/*`);
    this.#allow(GRANTS.bypassLock, [bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`)]);
  }

  #grantErase(bucket: Bucket, pattern: string): void {
    this.#allow(GRANTS.eraseObjects, [bucket.arnForObjects(pattern)]);
    this.#allow(GRANTS.listVersions, [bucket.bucketArn]);
    acceptPattern(this.role, { owner: bucket, pattern: `/${pattern}` }, KEYS_VARY);
  }

  #allow(actions: readonly string[], resources: readonly string[]): void {
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }
}
