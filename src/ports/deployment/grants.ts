/** The IAM actions that the stack grants, by what they are for. The adapters (src/adapters) send no other requests. */
export const GRANTS = {
  appendLog: ["dynamodb:PutItem"],
  readLog: ["dynamodb:GetItem", "dynamodb:Query"],
  readLogStream: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
  listLogStreams: ["dynamodb:ListStreams"],
  readJobs: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  readJobIndexes: ["dynamodb:Query"],
  /** A run is one item, without pages. */
  readRuns: ["dynamodb:GetItem"],
  writeJobs: ["dynamodb:PutItem"],
  /** Only the retain function has it: it suspends the expiry of tables while the archive is behind. */
  guardExpiry: ["dynamodb:DescribeTimeToLive", "dynamodb:UpdateTimeToLive"],
  /** Only the retain function has it, for the expiry of items (lib/projection.ts). */
  renewExpiry: ["dynamodb:UpdateItem"],
  /** For the mappings of the count function and the notify function. */
  readJobStreams: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
  /** Only the replay function has it: it corrects the idle projection. */
  rebuildJobs: ["dynamodb:PutItem", "dynamodb:Scan", "dynamodb:DeleteItem"],
  /** For the partial states of a replay. */
  keepPartialStates: ["s3:PutObject", "s3:GetObject"],
  /** S3 answers "access denied" for a missing object without it. */
  listReplay: ["s3:ListBucket"],
  readRecords: ["dynamodb:GetItem", "dynamodb:Query"],
  writeRecords: ["dynamodb:PutItem"],
  receiveMessages: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  /** Ingest decides how long a message waits after an outage stopped it. */
  postponeMessages: ["sqs:ChangeMessageVisibility"],
  sendMessages: ["sqs:SendMessage"],
  /** For exporters. */
  sendSegments: ["sqs:SendMessage", "sqs:GetQueueAttributes"],
  /**
   * For senders to a queue that is encrypted with a customer managed key. SQS also decrypts the data key that it reuses
   * (SQS Developer Guide, "Configure KMS permissions").
   */
  encryptSegments: ["kms:GenerateDataKey", "kms:Decrypt"],
  /** GetObject is for redriving, which names a message by its key in the bucket. */
  keepLargeMessages: ["s3:PutObject", "s3:GetObject"],
  writeArchive: ["s3:PutObject", "s3:GetObject"],
  /** Only of Parquet parts, which the compaction of a day replaces. */
  compactArchive: ["s3:DeleteObject"],
  readArchive: ["s3:GetObject"],
  listArchive: ["s3:ListBucket"],
  /** Only the role for erasures has them (lib/erasure/erasure.ts). */
  rewriteLog: ["dynamodb:UpdateItem"],
  /** PutItem writes the remains of records of several Jobs. */
  eraseJobs: ["dynamodb:Scan", "dynamodb:DeleteItem", "dynamodb:PutItem"],
  eraseRecords: ["dynamodb:DeleteItem"],
  eraseObjects: ["s3:DeleteObject", "s3:DeleteObjectVersion"],
  /** Only a principal with this permission can delete a version that Object Lock protects in governance mode. */
  bypassLock: ["s3:BypassGovernanceRetention"],
  listVersions: ["s3:ListBucket", "s3:ListBucketVersions"],
  readDepth: ["sqs:GetQueueAttributes"],
  putEvents: ["events:PutEvents"],
  publishMessages: ["sns:Publish"],
  /** For the registrations of senders and readers. */
  readRegistrations: ["ssm:GetParametersByPath"],
  readSecret: ["secretsmanager:GetSecretValue"],
  writeFailedRecords: ["s3:PutObject"],
  listFailedRecords: ["s3:ListBucket"],
  /** CodeDeploy shifts the invocations of a function from one version to the next. */
  shiftVersions: ["lambda:GetAlias", "lambda:UpdateAlias", "lambda:GetProvisionedConcurrencyConfig"],
  readAlarms: ["cloudwatch:DescribeAlarms"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Every action that changes or deletes an item. The log's resource policy denies them to all principals. */
export const LOG_CHANGES = [
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:BatchWriteItem",
  "dynamodb:PartiQLInsert",
  "dynamodb:PartiQLUpdate",
  "dynamodb:PartiQLDelete",
] as const;

/** The attributes that an update of an expiry may name: the keys, and the attributes that it changes. */
export const RENEWED_ATTRIBUTES = ["pk", "sk", "ttl", "version", "widePk"] as const;
