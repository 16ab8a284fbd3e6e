/** What a stage says of itself, as a JSON object in a parameter of Systems Manager (`outputsParameter`). */
export type StageOutput =
  | "QueueUrl"
  | "QueueArn"
  | "DlqUrl"
  | "ApiUrl"
  | "RestApiId"
  | "PageUrl"
  | "LogTable"
  | "JobsTableA"
  | "JobsTableB"
  | "RunsTableA"
  | "RunsTableB"
  | "MetaTable"
  /** How readers are admitted: `open`, `iam` or `oidc`. */
  | "Readers"
  | "IngestFunction"
  /** The mapping that feeds dead letters to the ingest function while it is enabled. */
  | "RedriveMapping"
  | "AuditFunction"
  | "ReplayFunction"
  /** The state machine that runs the replay function. */
  | "ReplayMachine"
  | "CountFunction"
  /** The versions of the projectors in use: what the setting `keepProjectors` takes. */
  | "ProjectorVersions"
  /** The most concurrent executions that the functions use. */
  | "ConcurrencyNeeded"
  /** The bucket of the archive. Absent without one. */
  | "ArchiveBucket"
  | "ArchiveFunction"
  /** Suspends the expiry of tables while the archive is behind. Absent without an archive. */
  | "RetainFunction"
  /** Its Glue database, and the workgroup of Athena with its queries. */
  | "ArchiveDatabase"
  | "ArchiveWorkGroup"
  /** The role that may erase, and the other buckets that it empties. Absent unless the setting `erasure` is on. */
  | "ErasureRole"
  | "SetAsideBucket"
  | "GivenUpBucket"
  | "QueryResultsBucket"
  | "ReplayBucket"
  /** The key that encrypts the data. Absent with AWS owned keys. */
  | "KeyArn";

/** Outputs that a stack has only with some settings. */
export type OptionalOutput =
  | "KeyArn"
  | "ErasureRole"
  | "SetAsideBucket"
  | "GivenUpBucket"
  | "QueryResultsBucket"
  | "ReplayBucket"
  | "ArchiveBucket"
  | "ArchiveFunction"
  | "RetainFunction"
  | "ArchiveDatabase"
  | "ArchiveWorkGroup";
