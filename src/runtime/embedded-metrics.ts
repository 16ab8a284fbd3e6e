import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from "../deployment/metrics.ts";

/**
 * Counters as a log line from which CloudWatch extracts metrics (embedded metric format, specification version 0). It
 * needs no permission and no request. The line must contain this JSON only.
 */
export function embeddedMetrics(
  counts: ReadonlyMap<MetricName, number>,
  { stage, now }: { readonly stage: string; readonly now: number },
): string {
  const metric = {
    Namespace: METRIC_NAMESPACE,
    Dimensions: [[METRIC_DIMENSION]],
    Metrics: [...counts.keys()].map((name) => ({ Name: name, Unit: "Count" })),
  };
  const aws = { Timestamp: now, CloudWatchMetrics: [metric] };
  return `${JSON.stringify({ _aws: aws, [METRIC_DIMENSION]: stage, ...Object.fromEntries(counts) })}\n`;
}
