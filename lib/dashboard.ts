import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { conflictRatio } from "./alarms.ts";
import { type OutliveMetricName, outliveMetric } from "./outlive-metric.ts";

export interface DashboardProps {
  readonly stage: string;
  readonly segments: Queue;
  readonly deadLetters: readonly Queue[];
  readonly project: LambdaFunction;
  readonly functions: readonly LambdaFunction[];
  readonly api: RestApi;
}

const WIDTH = 8;

/** One page in the order of the flow: what comes in, how far the answers are behind, what went wrong, what is asked. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { stage, segments, deadLetters, project, functions, api } = props;
    const counted = (...names: readonly OutliveMetricName[]) => names.map((name) => outliveMetric(name, { stage }));
    new CloudWatchDashboard(this, "Dashboard", {
      dashboardName: `Outlive-${stage}`,
      widgets: [
        [
          graph("Segments and facts", counted("Segments", "Facts", "DuplicateSegments")),
          graph("Waiting", [
            segments.metricApproximateNumberOfMessagesVisible(),
            segments.metricApproximateAgeOfOldestMessage(),
          ]),
          graph("Behind the log (ms)", [project.metric("IteratorAge", { statistic: Stats.MAXIMUM })]),
        ],
        [
          graph(
            "Set aside, in conflict, unfolded",
            counted("SetAsideSegments", "ConflictingSegments", "UnfoldedSegments"),
          ),
          graph(
            "Dead letters",
            deadLetters.map((queue) => queue.metricApproximateNumberOfMessagesVisible()),
          ),
          graph("Trust", counted("ForeignStreamRecords", "AuditMismatches", "SilentClusters", "OpenGaps")),
        ],
        [
          graph("Writes that met another writer", [conflictRatio(stage)]),
          graph(
            "Errors",
            functions.map((each) => each.metricErrors()),
          ),
          graph(
            "Duration, p99 (ms)",
            functions.map((each) => each.metricDuration({ statistic: Stats.p(99) })),
          ),
        ],
        [
          graph("Requests", [api.metricCount(), api.metricClientError(), api.metricServerError()]),
          graph("Answered in, p50 and p99 (ms)", [
            api.metricLatency({ statistic: Stats.p(50) }),
            api.metricLatency({ statistic: Stats.p(99) }),
          ]),
          graph(
            "Throttled",
            functions.map((each) => each.metricThrottles()),
          ),
        ],
      ],
    });
  }
}

function graph(title: string, left: readonly IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: [...left], width: WIDTH });
}
