import { Duration, Lazy } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type LifecycleRule,
  ObjectLockRetention,
  ObjectOwnership,
  StorageClass,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { ARCHIVE_FOLDER } from "../../src/ports/deployment/archive-location.ts";
import { suppressNag } from "../nag-suppression.ts";
import { removalPolicyOf, type StoragePolicy } from "../storage/storage-policy.ts";

export interface ArchiveBucketProps {
  readonly storage: StoragePolicy;
  /** Days of Object Lock (governance mode). @default none */
  readonly lockDays?: number | undefined;
  /** Whether a role may delete what it erases. @default false */
  readonly isErasable?: boolean | undefined;
}

/** Segments are read for a restore only. S3 does not move objects below 128 KB. */
const SEGMENTS_HOT_DAYS = 90;
/** How long a part that a compaction replaced can be restored, as a noncurrent version. */
const REPLACED_DAYS = 35;

/** The private bucket of the archive: every version is kept, and the current ones for ever. */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;
  /** ARNs of the roles that may delete versions. */
  readonly #erasers: string[] = [];

  constructor(scope: Construct, id: string, { storage, lockDays, isErasable = false }: ArchiveBucketProps) {
    super(scope, id);
    const { key } = storage;
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: LIFECYCLE,
      removalPolicy: removalPolicyOf(storage),
      ...(lockDays !== undefined && { objectLockDefaultRetention: ObjectLockRetention.governance(days(lockDays)) }),
      ...(key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
    });
    this.bucket.addToResourcePolicy(writeOnce(this.bucket));
    if (storage.disposable !== true) {
      const erasers = isErasable ? Lazy.list({ produce: () => this.#erasers }) : undefined;
      for (const statement of keepForEver(this.bucket, erasers)) this.bucket.addToResourcePolicy(statement);
    }
    suppressNag(
      this,
      "S1",
      "The manifests prove every object. Where it must be known who read the archive, enable CloudTrail data events.",
    );
  }

  /** Lets a role delete what it erases. */
  admitEraser({ roleArn }: IRole): void {
    this.#erasers.push(roleArn);
  }
}

/**
 * Denies the deletion of versions, and of what no compaction replaces, to every principal except the role for erasures.
 * Lifecycle rules need no permission.
 */
function keepForEver(bucket: Bucket, erasers: string[] | undefined): readonly PolicyStatement[] {
  const denied = {
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    ...(erasers !== undefined && { conditions: { ArnNotEquals: { "aws:PrincipalArn": erasers } } }),
  };
  return [
    new PolicyStatement({
      ...denied,
      sid: "VersionsAreNeverDeleted",
      actions: ["s3:DeleteObjectVersion"],
      resources: [bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`)],
    }),
    new PolicyStatement({
      ...denied,
      sid: "SegmentsAndManifestsAreNeverDeleted",
      actions: ["s3:DeleteObject"],
      resources: ["segments", "manifest", "erasures"].map((folder) =>
        bucket.arnForObjects(`${ARCHIVE_FOLDER}/${folder}/*`),
      ),
    }),
  ];
}

/**
 * Denies every write without `If-None-Match`, from every principal: S3 refuses such a write where the key has an
 * object (S3 User Guide, "Enforce conditional writes"). A replication into the bucket does not need PutObject.
 */
function writeOnce(bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    sid: "ObjectsAreNeverReplaced",
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ["s3:PutObject"],
    resources: [bucket.arnForObjects(`${ARCHIVE_FOLDER}/*`)],
    conditions: { Null: { "s3:if-none-match": "true" } },
  });
}

function days(number: number): Duration {
  return Duration.days(number);
}

const LIFECYCLE: LifecycleRule[] = [
  {
    abortIncompleteMultipartUploadAfter: Duration.days(1),
    noncurrentVersionExpiration: Duration.days(REPLACED_DAYS),
    expiredObjectDeleteMarker: true,
  },
  {
    prefix: `${ARCHIVE_FOLDER}/segments/`,
    transitions: [
      { storageClass: StorageClass.GLACIER_INSTANT_RETRIEVAL, transitionAfter: Duration.days(SEGMENTS_HOT_DAYS) },
    ],
  },
];
