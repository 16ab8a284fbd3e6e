import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { MetricQuery, ReadMetric } from "./figures.ts";

const run = promisify(execFile);
/** CloudWatch returns at most 1,440 points of a request: the minutes of a day. */
const PERIOD_SECONDS = 60;

interface Answer {
  readonly Datapoints: readonly Partial<Record<MetricQuery["statistic"], number>>[];
}

/**
 * Reads metrics from `since` to now with the AWS CLI, which docs/deploy.md needs anyway. `endpoint` is that of an
 * emulator.
 */
export function metricsSince(since: Date, endpoint?: string): ReadMetric {
  return async ({ namespace, name, dimensions, statistic }) => {
    const named = Object.entries(dimensions).map(([Name, Value]) => `Name=${Name},Value=${Value}`);
    const { stdout } = await run("aws", [
      "cloudwatch",
      "get-metric-statistics",
      "--output=json",
      `--namespace=${namespace}`,
      `--metric-name=${name}`,
      `--start-time=${since.toISOString()}`,
      `--end-time=${new Date().toISOString()}`,
      `--period=${PERIOD_SECONDS}`,
      `--statistics=${statistic}`,
      "--dimensions",
      ...named,
      // Version 1 of the CLI does not read the variable.
      ...(endpoint === undefined ? [] : [`--endpoint-url=${endpoint}`]),
    ]);
    const { Datapoints } = JSON.parse(stdout) as Answer;
    return aggregated(
      Datapoints.map((point) => point[statistic] ?? 0),
      statistic,
    );
  };
}

function aggregated(values: readonly number[], statistic: MetricQuery["statistic"]): number | undefined {
  if (values.length === 0) return undefined;
  if (statistic === "Maximum") return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return statistic === "Sum" ? sum : sum / values.length;
}
