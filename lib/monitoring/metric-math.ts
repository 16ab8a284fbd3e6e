import type { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression } from "aws-cdk-lib/aws-cloudwatch";

interface Expression {
  readonly label: string;
  readonly period: Duration;
}

/** One of the conditions of an alarm. */
export interface Limit {
  readonly metric: IMetric;
  /** The condition is met at this value and above. */
  readonly threshold: number;
}

/** The sum of at most ten metrics: an alarm cannot have more. */
export function sumOf(metrics: readonly IMetric[], { label, period }: Expression): MathExpression {
  const usingMetrics = named(metrics);
  return new MathExpression({ expression: Object.keys(usingMetrics).join(" + "), usingMetrics, label, period });
}

/**
 * How many of at most ten metrics are at their threshold or above. A metric without data is below it: some are
 * published every quarter of an hour only.
 */
export function exceededOf(limits: readonly Limit[], { label, period }: Expression): MathExpression {
  const terms = limits.map(({ threshold }, n) => `IF(FILL(m${n}, 0) >= ${threshold}, 1, 0)`);
  const usingMetrics = named(limits.map(({ metric }) => metric));
  return new MathExpression({ expression: terms.join(" + "), usingMetrics, label, period });
}

function named(metrics: readonly IMetric[]): Record<string, IMetric> {
  return Object.fromEntries(metrics.map((metric, n) => [`m${n}`, metric]));
}
