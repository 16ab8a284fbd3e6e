import { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from "../../src/ports/deployment/metrics.ts";

export interface OutliveMetricProps {
  readonly stage: string;
  /** @default Sum */
  readonly statistic?: string;
  /** @default 5 minutes */
  readonly period?: Duration;
}

/** A metric of this stage. The functions print it to their logs (embedded metric format), which needs no permission. */
export function outliveMetric(name: MetricName, props: OutliveMetricProps): Metric {
  const { stage, statistic = Stats.SUM, period = Duration.minutes(5) } = props;
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName: name,
    dimensionsMap: { [METRIC_DIMENSION]: stage },
    statistic,
    period,
  });
}
