import { RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from "aws-cdk-lib/aws-apigateway";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { type Context, textOf } from "../context-values.ts";

/** How API Gateway logs requests. It writes with one role for the whole account and region. */
export type AccessLogs = "withRole" | "existingRole" | "none";

const FORM = { pattern: /^(withRole|existingRole|none)$/, form: "withRole, existingRole or none" };

/** `undefined` where it is not set. Throws InvalidSettingsError. */
export function accessLogsOf(context: Context): AccessLogs | undefined {
  const text = textOf(context, "accessLogs", FORM);
  return text === "withRole" || text === "existingRole" || text === "none" ? text : undefined;
}

/**
 * One JSON line per request, including those that API Gateway rejects before a function runs: `refused` is then
 * `THROTTLED`, `ACCESS_DENIED` and so on. A line contains no query string and no token.
 */
const FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    requestId: "$context.requestId",
    time: "$context.requestTime",
    ip: "$context.identity.sourceIp",
    caller: "$context.identity.caller",
    method: "$context.httpMethod",
    path: "$context.path",
    status: "$context.status",
    refused: "$context.error.responseType",
    latencyMillis: "$context.responseLatency",
  }),
);

/** The access log of an API's stage; nothing where it is off. */
export function accessLogOf(scope: Construct, accessLogs: AccessLogs): StageOptions {
  if (accessLogs === "none") return {};
  const group = new LogGroup(scope, "AccessLogs", {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return { accessLogDestination: new LogGroupLogDestination(group), accessLogFormat: FORMAT };
}
