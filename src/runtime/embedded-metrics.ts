import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from "../deployment/metrics.ts";

/**
 * Counts as one line of a log from which CloudWatch makes metrics (embedded metric format, specification version 0), so that nobody needs a permission or a
 * request to write them. The line must be nothing but this JSON; a metric is named by exactly these dimensions.
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
