import { Duration } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
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
import { ARCHIVE_FOLDER } from "../../src/deployment/archive-location.ts";
import { suppressNag } from "../nag-suppression.ts";
import { removalPolicyOf, type StoragePolicy } from "../storage-policy.ts";

export interface ArchiveBucketProps {
  readonly storage: StoragePolicy;
  /** Days of Object Lock (governance mode). @default none */
  readonly lockDays?: number | undefined;
}

/** Segments are read for a restore only. S3 does not move objects below 128 KB. */
const SEGMENTS_HOT_DAYS = 90;
/** A part that a compaction replaced is a noncurrent version, and can be restored for so long. */
const REPLACED_DAYS = 35;

/** The private bucket of the archive: every version is kept, and the current ones for ever. */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { storage, lockDays }: ArchiveBucketProps) {
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
    suppressNag(
      this,
      "S1",
      "The manifests prove every object. Where it must be known who read the archive, enable CloudTrail data events.",
    );
  }
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
