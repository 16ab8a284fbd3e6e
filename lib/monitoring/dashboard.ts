import { Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { MetricName } from "../../src/ports/deployment/metrics.ts";
import { outliveMetric } from "./outlive-metric.ts";

export interface DashboardProps {
  readonly stage: string;
  readonly segments: Queue;
  readonly deadLetters: readonly Queue[];
  readonly project: LambdaFunction;
  readonly functions: readonly LambdaFunction[];
  readonly api: RestApi;
  /** Whether metrics of Jobs are published. */
  readonly hasJobMetrics: boolean;
}

const WIDTH = 8;

/** One page: Jobs, and then the order of the data flow: input, projection, problems, functions, API. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    new CloudWatchDashboard(this, "Dashboard", {
      dashboardName: `Outlive-${props.stage}`,
      widgets: [
        ...(props.hasJobMetrics ? [jobRow(props)] : []),
        inputRow(props),
        problemRow(props),
        functionRow(props),
        apiRow(props),
      ],
    });
  }
}

function jobRow({ stage }: DashboardProps): GraphWidget[] {
  return [
    graph("Jobs that ended", counters(stage, "JobsComplete", "JobsFailed", "JobsDeleted")),
    graph("Failed Pods, missed runs, new findings, needless seconds", [
      ...counters(stage, "FailedAttempts", "MissedRuns", "NewFindings", "WastedSeconds"),
    ]),
    graph(
      "Jobs now",
      (["RunningJobs", "WaitingJobs", "OpenFindings"] as const).map((name) =>
        outliveMetric(name, { stage, statistic: Stats.MAXIMUM }),
      ),
    ),
  ];
}

function inputRow({ stage, segments, project }: DashboardProps): GraphWidget[] {
  return [
    graph("Segments and facts", counters(stage, "Segments", "Facts", "DuplicateSegments")),
    graph("Messages waiting", [
      segments.metricApproximateNumberOfMessagesVisible(),
      segments.metricApproximateAgeOfOldestMessage(),
    ]),
    graph("Projection lag (ms)", [project.metric("IteratorAge", { statistic: Stats.MAXIMUM })]),
  ];
}

function problemRow({ stage, deadLetters }: DashboardProps): GraphWidget[] {
  return [
    graph(
      "Set aside, in conflict, not projected",
      counters(stage, "SetAsideSegments", "DroppedMessages", "ConflictingSegments", "UnfoldedSegments"),
    ),
    graph(
      "Dead letters",
      deadLetters.map((queue) => queue.metricApproximateNumberOfMessagesVisible()),
    ),
    graph(
      "Integrity and gaps",
      counters(stage, "ForeignStreamRecords", "AuditMismatches", "CountMismatches", "SilentClusters", "OpenGaps"),
    ),
  ];
}

function functionRow({ stage, functions }: DashboardProps): GraphWidget[] {
  return [
    graph("Write conflicts", [conflictRatio(stage)]),
    graph(
      "Errors",
      functions.map((each) => each.metricErrors()),
    ),
    graph(
      "Duration, p99 (ms)",
      functions.map((each) => each.metricDuration({ statistic: Stats.p(99) })),
    ),
  ];
}

function apiRow({ api, functions }: DashboardProps): GraphWidget[] {
  return [
    graph("Requests", [api.metricCount(), api.metricClientError(), api.metricServerError()]),
    graph("Latency, p50 and p99 (ms)", [
      api.metricLatency({ statistic: Stats.p(50) }),
      api.metricLatency({ statistic: Stats.p(99) }),
    ]),
    graph(
      "Throttled",
      functions.map((each) => each.metricThrottles()),
    ),
  ];
}

/**
 * The share of conditional writes that lost against a concurrent writer; 0 below 100 writes, where the share means
 * little.
 */
function conflictRatio(stage: string): MathExpression {
  return new MathExpression({
    expression: "IF(writes + conflicts >= 100, conflicts / (writes + conflicts), 0)",
    label: "Share of writes with a conflict",
    usingMetrics: { conflicts: outliveMetric("WriteConflicts", { stage }), writes: outliveMetric("Writes", { stage }) },
    period: Duration.minutes(5),
  });
}

function counters(stage: string, ...names: readonly MetricName[]): readonly IMetric[] {
  return names.map((name) => outliveMetric(name, { stage }));
}

function graph(title: string, left: readonly IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: [...left], width: WIDTH });
}
