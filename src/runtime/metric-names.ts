/** CloudWatch namespace and dimension of every metric the functions write (embedded metric format). */
export const METRIC_NAMESPACE = "Outlive";
export const METRIC_DIMENSION = "Stage";

/** What the functions count. Alarms and dashboard (lib/) name the same metrics; a test compares them. */
export const METRIC_NAMES = [
  /** Segments appended to the log. */
  "Segments",
  /** Facts in them. */
  "Facts",
  /** Messages that came again: their segment was in the log. */
  "DuplicateSegments",
  /** Segments whose key another segment has: two exporters share a name, or one lied. */
  "ConflictingSegments",
  /** Messages that could not become a log item and were set aside with a reason. */
  "SetAsideSegments",
  /** Log items of which something could not be folded and that went to the refold queue, or failed there. */
  "UnfoldedSegments",
  /** States written, of Jobs and of the records beside them: what conflicts are compared with. */
  "Writes",
  /** Conditional writes that met another writer and were tried again. */
  "WriteConflicts",
  /** Records of the log's stream that no writer of this project causes: a log item changed, or deleted by somebody who is not TTL. */
  "ForeignStreamRecords",
  /** Jobs and records in which the audit did not find a log item that concerns them. */
  "AuditMismatches",
  /** Clusters that were heard of once and not lately. */
  "SilentClusters",
  /** Times in which nobody watched a cluster and that ended lately, or have not ended. */
  "OpenGaps",
] as const;

export type MetricName = (typeof METRIC_NAMES)[number];

/** Adds to a metric. Zero is a value too: an alarm that only ever sees trouble cannot tell peace from silence. */
export type CountMetric = (name: MetricName, count: number) => void;
