import { Duration } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { BUCKET_DAYS } from "../../src/ports/deployment/retention.ts";
import { suppressNag } from "../nag-suppression.ts";
import { removalPolicyOf, type StoragePolicy } from "./storage-policy.ts";

export interface RetainedBucketProps {
  readonly storage: StoragePolicy;
  /** Days after which an object expires. @default 90 */
  readonly days?: number;
}

/**
 * A private bucket for data that needs inspection: large messages that were set aside, and stream records that Lambda
 * gave up on.
 */
export class RetainedBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: RetainedBucketProps) {
    super(scope, id);
    const { days = BUCKET_DAYS, storage } = props;
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
      "One function writes to the bucket and operators read it. Where an access log is required, enable CloudTrail " +
        "data events.",
    );
  }
}
