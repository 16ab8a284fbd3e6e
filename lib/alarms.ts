import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type OutliveMetricName, outliveMetric } from "./outlive-metric.ts";

export interface AlarmsProps {
  readonly stage: string;
  readonly segments: Queue;
  readonly deadLetters: readonly Queue[];
  readonly project: LambdaFunction;
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly Table[];
  readonly api: RestApi;
  /** Where alarms are said; the person there confirms it once. @default they are only shown */
  readonly email?: string;
}

interface AlarmTerms {
  readonly says: string;
  readonly metric: IMetric;
  /** Rings at this value and beyond. */
  readonly from: number;
  /** Of how many periods in a row. @default 1 */
  readonly periods?: number;
}

const FIVE_MINUTES = Duration.minutes(5);
/** A Lambda account runs 1,000 functions at once in a region, unless it is new or asked for more. */
const MOST_AT_ONCE = 800;

/** What wakes somebody. Each alarm's name is a heading in docs/operations.md, where it says what to do; a test holds both equal. */
export class Alarms extends Construct {
  readonly alarms: readonly Alarm[];
  readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = this.#topic(props);
    const terms = { ...flowTerms(props), ...countTerms(props.stage), ...platformTerms(props) };
    this.alarms = Object.entries(terms).map(([name, each]) => this.#alarm(name, each));
    if (this.topic === undefined) return;
    const action = new SnsAction(this.topic);
    for (const alarm of this.alarms) alarm.addAlarmAction(action);
  }

  #topic({ email }: AlarmsProps): Topic | undefined {
    if (email === undefined) return undefined;
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  #alarm(name: string, { says, metric, from, periods = 1 }: AlarmTerms): Alarm {
    return new Alarm(this, name, {
      alarmDescription: `${says} What to do: docs/operations.md, "${name}".`,
      metric,
      threshold: from,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function flowTerms({ segments, deadLetters, project }: AlarmsProps) {
  const waiting = deadLetters.map((queue) =>
    queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
  );
  return {
    DeadLettersWaiting: {
      says: "Messages failed again and again and wait in a dead-letter queue.",
      metric: sumOf(waiting, "Messages in dead-letter queues"),
      from: 1,
    },
    SegmentsWaitLong: {
      says: "The oldest segment has waited five minutes to be appended to the log.",
      metric: segments.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      from: 300,
      periods: 3,
    },
    ProjectionLags: {
      says: "Answers are five minutes behind the log.",
      metric: project.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      from: 300_000,
      periods: 3,
    },
  } satisfies Record<string, AlarmTerms>;
}

function countTerms(stage: string) {
  const any = (name: OutliveMetricName, says: string, from = 1): AlarmTerms => ({
    says,
    metric: outliveMetric(name, { stage }),
    from,
  });
  const latest = (name: OutliveMetricName, says: string): AlarmTerms => ({
    says,
    metric: outliveMetric(name, { stage, statistic: Stats.MAXIMUM }),
    from: 1,
  });
  return {
    SegmentsSetAside: any("SetAsideSegments", "Messages could not become log items and were set aside."),
    SegmentsConflict: any("ConflictingSegments", "Two different segments came under one name."),
    SegmentsUnfolded: any("UnfoldedSegments", "Something in log items could not be folded.", 10),
    LogItemsTouched: any("ForeignStreamRecords", "A log item was changed or deleted, which nothing of Outlive does."),
    AuditMismatch: any("AuditMismatches", "The log holds what the projection did not take."),
    ClusterSilent: latest("SilentClusters", "A cluster that was heard of is silent."),
    GapOpen: latest("OpenGaps", "There is a time in which nobody watched a cluster."),
    ConflictsMany: {
      says: "More than one write in five met another writer and had to be repeated.",
      metric: conflictRatio(stage),
      from: 0.2,
      periods: 3,
    },
  } satisfies Record<string, AlarmTerms>;
}

function platformTerms({ functions, tables, api }: AlarmsProps) {
  const errors = functions.map((each) => each.metricErrors({ period: FIVE_MINUTES }));
  const throttles = functions.map((each) => each.metricThrottles({ period: FIVE_MINUTES }));
  const events = ["ReadThrottleEvents", "WriteThrottleEvents"];
  const throttled = tables.flatMap((table) => events.map((name) => table.metric(name, { statistic: Stats.SUM })));
  return {
    FunctionsFail: { says: "Functions throw.", metric: sumOf(errors, "Errors"), from: 1, periods: 2 },
    FunctionsThrottled: {
      says: "AWS refused to run functions, because too many run at once.",
      metric: sumOf(throttles, "Throttles"),
      from: 1,
      periods: 2,
    },
    ConcurrencyNearQuota: {
      says: "The account runs nearly as many functions at once as it may.",
      metric: LambdaFunction.metricAllConcurrentExecutions({ statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      from: MOST_AT_ONCE,
    },
    TablesThrottled: {
      says: "DynamoDB refused requests.",
      metric: sumOf(throttled, "Throttles"),
      from: 10,
      periods: 2,
    },
    ApiFails: {
      says: "The API answers 5xx.",
      metric: api.metricServerError({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      from: 5,
      periods: 2,
    },
  } satisfies Record<string, AlarmTerms>;
}

/** Of the conditional writes, the share that met another writer; nothing while there are too few to tell. */
export function conflictRatio(stage: string): MathExpression {
  return new MathExpression({
    expression: "IF(writes + conflicts >= 100, conflicts / (writes + conflicts), 0)",
    label: "Share of writes that met another writer",
    usingMetrics: { conflicts: outliveMetric("WriteConflicts", { stage }), writes: outliveMetric("Writes", { stage }) },
    period: FIVE_MINUTES,
  });
}

/** An alarm reads at most ten metrics. */
function sumOf(metrics: readonly IMetric[], label: string): IMetric {
  const named = Object.fromEntries(metrics.map((metric, n) => [`m${n}`, metric]));
  return new MathExpression({
    expression: Object.keys(named).join(" + "),
    usingMetrics: named,
    label,
    period: FIVE_MINUTES,
  });
}
