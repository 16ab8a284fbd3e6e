import { Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { MetricName } from "../../src/ports/deployment/metrics.ts";
import { JOBS_SCHEMA } from "../../src/ports/deployment/tables.ts";
import { type CapacitySettings, reservedOf } from "../capacity-settings.ts";
import type { AlarmDefinition } from "./alarm-definition.ts";
import { jobAlarms } from "./job-alarms.ts";
import { outliveMetric } from "./outlive-metric.ts";

export interface AlarmsProps {
  readonly stage: string;
  readonly segments: Queue;
  readonly deadLetters: readonly Queue[];
  readonly project: LambdaFunction;
  readonly count: LambdaFunction;
  readonly replay: StateMachine;
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly Table[];
  /** Those with indexes. */
  readonly jobTables: readonly Table[];
  readonly capacity: CapacitySettings;
  readonly api: RestApi;
  /** Whether the stage has an archive. */
  readonly isArchived: boolean;
  /** Whether failed Jobs, missed runs and needless runs raise alarms. @default false */
  readonly hasJobAlarms?: boolean;
  /** Where notifications go; the recipient confirms the subscription once. @default no notifications */
  readonly email?: string;
  /** The function that reads audit logs, if the stage has log groups. */
  readonly auditLogs?: LambdaFunction;
  /** The projectors that are tried, if the stage keeps those of an earlier release. */
  readonly trial?: {
    readonly project: LambdaFunction;
    readonly refold: LambdaFunction;
    readonly concurrency: number;
  };
  /** The functions that notify, if the stage has rules. */
  readonly notifications?: { readonly notify: LambdaFunction; readonly deliver: LambdaFunction };
}

const FIVE_MINUTES = Duration.minutes(5);
const FIVE_MINUTES_IN_SECONDS = 300;
const TEN_MINUTES_IN_SECONDS = 600;
const QUARTER_IN_SECONDS = 900;
const HOUR_IN_SECONDS = 3_600;
/** In five minutes. An exporter that is not registered sends four segments a second at most: 1,200. */
const MANY_SET_ASIDE = 2_000;
const FIVE_MINUTES_IN_MILLIS = 300_000;
/** The share of the account's unreserved concurrency at which its alarm is raised. */
const HIGH_SHARE = 0.8;
const THROTTLE_EVENTS = ["ReadThrottleEvents", "WriteThrottleEvents"] as const;

/** The alarms of a stage. Each one's name is a heading of docs/operations.md; a test compares them. */
export class Alarms extends Construct {
  readonly alarms: readonly Alarm[];
  readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = this.#createTopic(props);
    const definitions = {
      ...flowAlarms(props),
      ...counterAlarms(props.stage),
      ...(props.isArchived && archiveAlarms(props.stage)),
      ...platformAlarms(props),
      ...throttleAlarms(props),
      ...notificationAlarms(props),
      ...auditLogAlarms(props),
      ...(props.hasJobAlarms === true && jobAlarms(props.stage)),
      ...trialAlarms(props),
    };
    this.alarms = Object.entries(definitions).map(([name, each]) => this.#createAlarm(name, each));
    if (this.topic === undefined) return;
    const action = new SnsAction(this.topic);
    for (const alarm of this.alarms) alarm.addAlarmAction(action);
  }

  #createTopic({ email }: AlarmsProps): Topic | undefined {
    if (email === undefined) return undefined;
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  #createAlarm(name: string, { problem, metric, threshold, periods = 1 }: AlarmDefinition): Alarm {
    return new Alarm(this, name, {
      alarmDescription: `${problem} What to do: docs/operations.md, "${name}".`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function flowAlarms({ stage, segments, deadLetters, project, count, replay }: AlarmsProps) {
  const waiting = deadLetters.map((queue) =>
    queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
  );
  return {
    DeadLettersWaiting: {
      problem: "Messages failed repeatedly and wait in a dead-letter queue.",
      metric: sumOf(waiting, "Messages in dead-letter queues"),
      threshold: 1,
    },
    SegmentsWaitLong: {
      problem: "The oldest segment has waited five minutes to be appended to the log.",
      metric: segments.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      threshold: FIVE_MINUTES_IN_SECONDS,
      periods: 3,
    },
    ProjectionLags: {
      problem: "The projection is five minutes behind the log.",
      metric: project.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      threshold: FIVE_MINUTES_IN_MILLIS,
      periods: 3,
    },
    CountsLag: {
      problem: "Jobs were not counted for a quarter of an hour.",
      metric: uncountedAge(stage, count),
      threshold: QUARTER_IN_SECONDS,
    },
    ReplayFails: {
      problem: "A replay ended without its result: units failed repeatedly, or log items cannot be projected.",
      metric: replay.metricFailed({ period: FIVE_MINUTES }),
      threshold: 1,
    },
  } satisfies Record<string, AlarmDefinition>;
}

/** Audit logs explain only: no Job is wrong without them, but deletions stay unexplained. */
function auditLogAlarms({ auditLogs, stage }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (auditLogs === undefined) return {};
  return {
    AuditLogsRejected: {
      problem: "Audit logs could not be read.",
      metric: outliveMetric("RejectedAuditLogs", { stage }),
      threshold: 1,
    },
    AuditLogsFail: {
      problem: "The function that reads audit logs throws errors, or its failed events are lost.",
      metric: sumOf(
        [
          auditLogs.metricErrors({ period: FIVE_MINUTES }),
          auditLogs.metric("DestinationDeliveryFailures", { statistic: Stats.SUM, period: FIVE_MINUTES }),
        ],
        "Errors",
      ),
      threshold: 1,
      periods: 2,
    },
  };
}

/** The trial cannot affect an answer unless its projection answers. */
function trialAlarms({ trial }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (trial === undefined) return {};
  const { project, refold } = trial;
  const errors = [project, refold].map((each) => each.metricErrors({ period: FIVE_MINUTES }));
  return {
    TrialFails: {
      problem: "The projectors of a trial throw errors.",
      metric: sumOf(errors, "Errors"),
      threshold: 1,
      periods: 2,
    },
    TrialLags: {
      problem: "The projection of a trial is five minutes behind the log.",
      metric: project.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      threshold: FIVE_MINUTES_IN_MILLIS,
      periods: 3,
    },
  };
}

/** How an alarm about the sum or the maximum of a counter is defined. */
function counterDefinitions(stage: string) {
  const over =
    (statistic: string) =>
    (name: MetricName, problem: string, threshold = 1): AlarmDefinition => ({
      problem,
      metric: outliveMetric(name, { stage, statistic }),
      threshold,
    });
  return { total: over(Stats.SUM), maximum: over(Stats.MAXIMUM) };
}

function archiveAlarms(stage: string) {
  const { maximum } = counterDefinitions(stage);
  return {
    ArchiveLags: maximum(
      "ArchiveLagSeconds",
      "The archive is three hours behind the log, or could not be verified.",
      3 * HOUR_IN_SECONDS,
    ),
    ExpirySuspended: maximum(
      "SuspendedExpiries",
      "The archive is half a day behind, so that tables keep what has expired.",
    ),
    ExpiryUnguarded: {
      problem: "The function that suspends expiry has not run for three hours.",
      metric: missingRuns(stage),
      threshold: 1,
      periods: 3,
    },
    RetentionLags: maximum(
      "RetentionLagSeconds",
      "Stored Jobs do not follow a rule of retention or a legal hold six hours after its change.",
      6 * HOUR_IN_SECONDS,
    ),
    ArchiveDamaged: maximum("ArchiveProblems", "Objects of the archive are missing or were changed."),
  } satisfies Record<string, AlarmDefinition>;
}

/** The age of writes of Jobs when they are delivered, and for how long they wait then, in seconds. */
function uncountedAge(stage: string, count: LambdaFunction): MathExpression {
  return new MathExpression({
    expression: "FILL(age, 0) / 1000 + FILL(waiting, 0)",
    label: "Age of the oldest write that is not counted",
    usingMetrics: {
      age: count.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      waiting: outliveMetric("UncountedSeconds", { stage, statistic: Stats.MAXIMUM }),
    },
    period: FIVE_MINUTES,
  });
}

/** 1 for an hour in which the guard of the expiry reported nothing, because it failed or was not invoked. */
function missingRuns(stage: string): MathExpression {
  const period = Duration.hours(1);
  return new MathExpression({
    expression: "IF(FILL(runs, 0) > 0, 0, 1)",
    label: "Hours without a check of the expiry",
    usingMetrics: { runs: outliveMetric("SuspendedExpiries", { stage, statistic: Stats.SAMPLE_COUNT, period }) },
    period,
  });
}

function counterAlarms(stage: string) {
  const { total, maximum } = counterDefinitions(stage);
  return {
    SegmentsSetAside: total("SetAsideSegments", "Messages could not become log items and were set aside."),
    SendersFlood: total("SetAsideSegments", "A sender sends many messages that are not accepted.", MANY_SET_ASIDE),
    MessagesDropped: total("DroppedMessages", "A sender exceeded what is set aside of it in an hour."),
    SegmentsConflict: total("ConflictingSegments", "Two different segments have the same key."),
    SegmentsUnfolded: total("UnfoldedSegments", "Log items could not be projected completely.", 10),
    LogItemsTouched: total("ForeignStreamRecords", "A log item was changed or deleted, which only an erasure does."),
    AuditMismatch: total("AuditMismatches", "Log items are missing from the projection."),
    AuditLags: maximum(
      "OldestUnauditedSeconds",
      "The audit has not compared segments of an hour ago.",
      HOUR_IN_SECONDS,
    ),
    SweepLags: maximum("OldestUnsweptSeconds", "Live Jobs were not swept for ten minutes.", TEN_MINUTES_IN_SECONDS),
    CountsWrong: total("CountMismatches", "Counts were not those of the Jobs, and were corrected."),
    ClusterSilent: maximum("SilentClusters", "A cluster stopped sending its heartbeat."),
    GapOpen: maximum("OpenGaps", "The observation of a cluster has a gap."),
    ConflictsMany: {
      problem: "More than one write in five lost against a concurrent writer and was retried.",
      metric: conflictRatio(stage),
      threshold: 0.2,
      periods: 3,
    },
  } satisfies Record<string, AlarmDefinition>;
}

function platformAlarms({ functions, api, capacity, trial }: AlarmsProps) {
  const errors = functions.map((each) => each.metricErrors({ period: FIVE_MINUTES }));
  const throttles = functions.map((each) => each.metricThrottles({ period: FIVE_MINUTES }));
  return {
    FunctionsFail: { problem: "Functions throw errors.", metric: sumOf(errors, "Errors"), threshold: 1, periods: 2 },
    FunctionsThrottled: {
      problem: "Lambda throttled functions, because too many run at once.",
      metric: sumOf(throttles, "Throttles"),
      threshold: 1,
      periods: 2,
    },
    ConcurrencyNearQuota: {
      problem: "The account is close to its quota of concurrent executions.",
      metric: LambdaFunction.metricAll("ClaimedAccountConcurrency", { statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      threshold: highConcurrency(capacity, trial?.concurrency ?? 0),
    },
    ApiFails: {
      problem: "The API answers with 5xx errors.",
      metric: api.metricServerError({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      threshold: 5,
      periods: 2,
    },
  } satisfies Record<string, AlarmDefinition>;
}

/** Errors of these functions have an alarm of their own: that of all others has the most metrics that it can have. */
function notificationAlarms({ notifications, stage }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (notifications === undefined) return {};
  const { notify, deliver } = notifications;
  const errors = [notify, deliver].map((each) => each.metricErrors({ period: FIVE_MINUTES }));
  return {
    NotificationsFail: {
      problem: "A receiver has not accepted messages for half an hour.",
      metric: outliveMetric("FailedNotifications", { stage }),
      threshold: 1,
      periods: 6,
    },
    NotificationsDead: {
      problem: "Messages to a receiver were given up.",
      metric: outliveMetric("DeadNotifications", { stage }),
      threshold: 1,
    },
    NotificationsLost: {
      problem: "Changes of Jobs could not be checked against the rules.",
      metric: outliveMetric("UnnotifiedChanges", { stage }),
      threshold: 1,
    },
    NotificationsLag: {
      problem: "Notifications are five minutes behind the changes of Jobs.",
      metric: notify.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
      threshold: FIVE_MINUTES_IN_MILLIS,
      periods: 3,
    },
    NotifyFunctionsFail: {
      problem: "The functions that notify throw errors.",
      metric: sumOf(errors, "Errors"),
      threshold: 1,
      periods: 2,
    },
  };
}

/**
 * What is reserved counts as claimed, used or not (Lambda Developer Guide, "Monitoring concurrency"). The alarm is
 * about the rest of the account's quota.
 */
function highConcurrency(capacity: CapacitySettings, trial: number): number {
  const reserved = capacity.reserveConcurrency ? reservedOf(capacity) + trial : 0;
  return Math.floor(reserved + HIGH_SHARE * (capacity.accountConcurrency - reserved));
}

/**
 * DynamoDB reports the throttles of a table by `TableName` only, and those of an index by `GlobalSecondaryIndexName` as
 * well: the former do not contain the latter. A throttled index also throttles the writes to its table.
 */
function throttleAlarms({ tables, jobTables }: AlarmsProps) {
  const indexes = (metricName: string) =>
    jobTables.flatMap(({ tableName: TableName }) =>
      JOBS_SCHEMA.indexes.map(({ name: GlobalSecondaryIndexName }) => {
        const dimensionsMap = { TableName, GlobalSecondaryIndexName };
        return new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap, statistic: Stats.SUM });
      }),
    );
  const onTables = THROTTLE_EVENTS.flatMap((name) =>
    tables.map((table) => table.metric(name, { statistic: Stats.SUM })),
  );
  const often = { threshold: 10, periods: 2 };
  return {
    TablesThrottled: {
      problem: "DynamoDB throttled requests to tables.",
      metric: sumOf(onTables, "Throttles"),
      ...often,
    },
    IndexWritesThrottled: {
      problem: "DynamoDB throttled writes to indexes.",
      metric: sumOf(indexes("WriteThrottleEvents"), "Throttled writes"),
      ...often,
    },
    IndexReadsThrottled: {
      problem: "DynamoDB throttled reads of indexes.",
      metric: sumOf(indexes("ReadThrottleEvents"), "Throttled reads"),
      ...often,
    },
  } satisfies Record<string, AlarmDefinition>;
}

/**
 * The share of conditional writes that lost against a concurrent writer; 0 below 100 writes, where the share means
 * little.
 */
export function conflictRatio(stage: string): MathExpression {
  return new MathExpression({
    expression: "IF(writes + conflicts >= 100, conflicts / (writes + conflicts), 0)",
    label: "Share of writes with a conflict",
    usingMetrics: { conflicts: outliveMetric("WriteConflicts", { stage }), writes: outliveMetric("Writes", { stage }) },
    period: FIVE_MINUTES,
  });
}

/** One alarm can use at most ten metrics. */
function sumOf(metrics: readonly IMetric[], label: string): IMetric {
  const named = Object.fromEntries(metrics.map((metric, n) => [`m${n}`, metric]));
  return new MathExpression({
    expression: Object.keys(named).join(" + "),
    usingMetrics: named,
    label,
    period: FIVE_MINUTES,
  });
}
