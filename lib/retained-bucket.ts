import { Duration } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { suppressNag } from "./nag-suppression.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface KeepingBucketProps {
  readonly storage: StoragePolicy;
  /** Days after which an object goes. @default 90 */
  readonly days?: number;
}

/** A private bucket for what a person has to look at: messages set aside that are too large for a record, and stream records that nobody could take. */
export class RetainedBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: KeepingBucketProps) {
    super(scope, id);
    const { days = 90, storage } = props;
    const { key } = storage;
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(days), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: removalPolicyOf(storage),
      ...(key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
    });
    suppressNag(
      this,
      "S1",
      "One function writes here and people read; CloudTrail's data events tell who, where they are wanted.",
    );
  }
}
