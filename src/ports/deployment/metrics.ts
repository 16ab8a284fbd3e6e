/** CloudWatch namespace and dimension of every metric that the functions publish (embedded metric format). */
export const METRIC_NAMESPACE = "Outlive";
export const METRIC_DIMENSION = "Stage";

/** The second dimension of metrics of Jobs, where they are published for each cluster. */
export const CLUSTER_DIMENSION = "Cluster";

/** Metrics of Jobs and CronJobs. They follow from what `GET /v1/metrics` shows. */
export type JobMetricName =
  /** Jobs that ended, each counted once, in the minute in which they were counted. */
  | "JobsComplete"
  | "JobsFailed"
  /** Jobs that were deleted before they finished. */
  | "JobsDeleted"
  /** The time from start to finish of Jobs that ended, in seconds. */
  | "JobSeconds"
  /** Pods that failed. */
  | "FailedAttempts"
  /** Findings that Jobs ended with, and those of CronJobs. */
  | "NewFindings"
  /** Running time of Pods that succeeded after their Job had all its completions. */
  | "WastedSeconds"
  /** Jobs that run, wait, or have a finding now. */
  | "RunningJobs"
  | "WaitingJobs"
  | "OpenFindings"
  /** Due times of CronJobs without a run. Each counts once, when the controller will no longer start the run. */
  | "MissedRuns";

/** The counters that the functions publish. Alarms and dashboard read the same names. */
export type MetricName =
  | JobMetricName
  /** Segments appended to the log. */
  | "Segments"
  /** Facts in these segments. */
  | "Facts"
  /** Redelivered messages whose segment was already in the log. */
  | "DuplicateSegments"
  /** Segments whose key belongs to a different segment: two exporters share a session name, or a sender forged one. */
  | "ConflictingSegments"
  /** Messages that could not be logged and were set aside with a reason. */
  | "SetAsideSegments"
  /** Set-aside messages that were not stored, because their sender exceeded its hourly limit. */
  | "DroppedMessages"
  /** Log items that could not be projected completely, on the first attempt or again from the refold queue. */
  | "UnfoldedSegments"
  /** Writes of Job states and cluster records: the denominator of the conflict ratio. */
  | "Writes"
  /** Conditional writes that lost against a concurrent writer and were retried. */
  | "WriteConflicts"
  /** Stream records that Outlive never causes: a log item was changed, or deleted other than by its expiry. */
  | "ForeignStreamRecords"
  /** Log items that the audit found missing from a Job or a record. */
  | "AuditMismatches"
  /** The time since the end of the last hour that is archived and verified. */
  | "ArchiveLagSeconds"
  /** Objects of the archive that are missing or changed. */
  | "ArchiveProblems"
  /** Tables whose expiry is suspended, because the archive is behind. Published as 0 by runs that find none. */
  | "SuspendedExpiries"
  /** The time since the oldest change of a rule or hold that stored Jobs do not follow yet. */
  | "RetentionLagSeconds"
  /** Age of the oldest segment that no audit has compared yet, at the end of a run. */
  | "OldestUnauditedSeconds"
  /** The most time since a live Job was swept, at the end of a run. */
  | "OldestUnsweptSeconds"
  /** Age of the oldest write of a Job that is not counted yet, at the end of a run. */
  | "UncountedSeconds"
  /** Counts of an hour or day that differed from its Jobs and were corrected. */
  | "CountMismatches"
  /** Clusters whose heartbeat stopped. */
  | "SilentClusters"
  /** Gaps in observation that are open or ended recently. */
  | "OpenGaps"
  /** Deletions and evictions that the function found in audit logs. */
  | "AuditedDeletions"
  /** Deliveries of audit logs that could not be read, and log events in them. */
  | "RejectedAuditLogs"
  /** Changes of Jobs that could not be checked against the rules of notifications. */
  | "UnnotifiedChanges"
  /** Messages that receivers accepted. */
  | "DeliveredNotifications"
  /** Attempts to deliver a message that failed. */
  | "FailedNotifications"
  /** Messages that were dropped after a day of failed deliveries. */
  | "DeadNotifications";

/** Adds to a counter. Publish 0 as well: an alarm needs to distinguish "no problems" from "no data". */
export type CountMetric = (name: MetricName, count: number) => void;
