import { GetFunctionConfigurationCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import type { MetricName } from "../../../src/ports/deployment/metrics.ts";
import { type Environment, requestLogs } from "./audit-log-group.ts";

interface LogEvents {
  readonly events: readonly { readonly message: string }[];
  readonly nextToken?: string;
}

/** The sum of what a function has published of a metric, from the lines of its log in an emulator. */
export async function publishedBy(
  lambda: LambdaClient,
  environment: Environment,
  { functionName, metric }: { readonly functionName: string; readonly metric: MetricName },
): Promise<number> {
  const { LoggingConfig } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionName }));
  const logGroupName = LoggingConfig?.LogGroup ?? `/aws/lambda/${functionName}`;
  let sum = 0;
  let nextToken: string | undefined;
  do {
    const page = { logGroupName, ...(nextToken !== undefined && { nextToken }) };
    const found = await requestLogs<LogEvents>(environment, "FilterLogEvents", page);
    for (const { message } of found.events) for (const line of message.split("\n")) sum += metricIn(line, metric);
    nextToken = found.nextToken;
  } while (nextToken !== undefined);
  return sum;
}

/** The value of a metric in a line of the embedded metric format; 0 in any other line. */
function metricIn(line: string, metric: MetricName): number {
  if (!line.includes('"_aws"') || !line.includes(`"${metric}"`)) return 0;
  const value: unknown = (JSON.parse(line.slice(line.indexOf("{"))) as Readonly<Record<string, unknown>>)[metric];
  return typeof value === "number" ? value : 0;
}
