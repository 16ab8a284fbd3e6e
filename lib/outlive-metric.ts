import { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";

/** What the functions count, as src/runtime/metric-names.ts names it; a test holds both equal. */
export type OutliveMetricName =
  | "Segments"
  | "Facts"
  | "DuplicateSegments"
  | "ConflictingSegments"
  | "SetAsideSegments"
  | "UnfoldedSegments"
  | "Writes"
  | "WriteConflicts"
  | "ForeignStreamRecords"
  | "AuditMismatches"
  | "SilentClusters"
  | "OpenGaps";

export interface OutliveMetricProps {
  readonly stage: string;
  /** @default Sum: how many there were */
  readonly statistic?: string;
  /** @default 5 minutes */
  readonly period?: Duration;
}

/** A metric of this stage. The functions print it (embedded metric format) and CloudWatch reads it from their logs, so nobody needs a permission to write it. */
export function outliveMetric(name: OutliveMetricName, props: OutliveMetricProps): Metric {
  const { stage, statistic = Stats.SUM, period = Duration.minutes(5) } = props;
  return new Metric({ namespace: "Outlive", metricName: name, dimensionsMap: { Stage: stage }, statistic, period });
}
