import {
  CLUSTER_DIMENSION,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  type MetricName,
} from "../../ports/deployment/metrics.ts";

/**
 * Counters as a log line from which CloudWatch extracts metrics (embedded metric format, specification version 0). It
 * needs no permission and no request. The line must contain this JSON only.
 */
export function embeddedMetrics(
  counts: ReadonlyMap<MetricName, number>,
  { stage, now, cluster }: { readonly stage: string; readonly now: number; readonly cluster?: string },
): string {
  const dimensions = { [METRIC_DIMENSION]: stage, ...(cluster !== undefined && { [CLUSTER_DIMENSION]: cluster }) };
  const metric = {
    Namespace: METRIC_NAMESPACE,
    Dimensions: [Object.keys(dimensions)],
    Metrics: [...counts.keys()].map((name) => ({ Name: name, Unit: "Count" })),
  };
  const aws = { Timestamp: now, CloudWatchMetrics: [metric] };
  return `${JSON.stringify({ _aws: aws, ...dimensions, ...Object.fromEntries(counts) })}\n`;
}
