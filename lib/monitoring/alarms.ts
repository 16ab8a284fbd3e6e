import { Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Alarm, ComparisonOperator, MathExpression, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Operation, type Table } from "aws-cdk-lib/aws-dynamodb";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { MetricName } from "../../src/ports/deployment/metrics.ts";
import { type CapacitySettings, reservedOf } from "../capacity/capacity-settings.ts";
import type { AlarmDefinition } from "./alarm-definition.ts";
import { jobAlarms } from "./job-alarms.ts";
import { exceededOf, type Limit, sumOf } from "./metric-math.ts";
import { outliveMetric } from "./outlive-metric.ts";

export interface AlarmsProps {
  readonly stage: string;
  readonly segments: Queue;
  readonly deadLetters: readonly Queue[];
  readonly project: LambdaFunction;
  readonly count: LambdaFunction;
  readonly replay: StateMachine;
  /** Those that every stage has. */
  readonly functions: readonly LambdaFunction[];
  readonly log: Table;
  readonly meta: Table;
  readonly jobTables: readonly Table[];
  readonly runTables: readonly Table[];
  readonly capacity: CapacitySettings;
  readonly api: RestApi;
  /** The function that writes the archive, if the stage has one. */
  readonly archive?: LambdaFunction;
  /** Whether failed Jobs, missed runs and needless runs raise alarms. @default false */
  readonly hasJobAlarms?: boolean;
  /** Where alarms notify. @default nowhere */
  readonly topic?: ITopic;
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

const MINUTE_IN_SECONDS = 60;
const HOUR_IN_SECONDS = 3_600;
const FIVE_MINUTES = Duration.minutes(5);
/** `IteratorAge` is in milliseconds. */
const FIVE_MINUTES_IN_MILLIS = 300_000;
const QUARTER_IN_MILLIS = 900_000;
/** The share of the account's unreserved concurrency at which its alarm is raised. */
const HIGH_SHARE = 0.8;

/**
 * The alarms of a stage. A person acts on each: what needs no action is on the dashboard only. What has one symptom and
 * begins with the same steps is one alarm. Its name is a heading of docs/operations.md; a test compares them.
 */
export class Alarms extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const definitions = {
      ...flowAlarms(props),
      ...recordAlarms(props),
      ...platformAlarms(props),
      ...(props.archive !== undefined && archiveAlarms(props.stage)),
      ...notificationAlarms(props),
      ...auditLogAlarms(props),
      ...optionalAlarms(props),
      ...trialAlarms(props),
      ...(props.hasJobAlarms === true && jobAlarms(props.stage)),
    };
    this.alarms = Object.entries(definitions).map(([name, each]) => this.#createAlarm(name, each));
    if (props.topic === undefined) return;
    const action = new SnsAction(props.topic);
    for (const alarm of this.alarms) alarm.addAlarmAction(action);
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

function flowAlarms(props: AlarmsProps) {
  const waiting = props.deadLetters.map((queue) =>
    queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
  );
  return {
    DeadLettersWaiting: {
      problem: "Messages failed repeatedly and wait in a dead-letter queue.",
      metric: sum(waiting, "Messages in dead-letter queues"),
      threshold: 1,
    },
    WorkLags: anyOf("A part of the stage is behind with its work.", lags(props)),
    ReplayFails: {
      problem: "A replay ended without its result: units failed repeatedly, or log items cannot be projected.",
      metric: props.replay.metricFailed({ period: FIVE_MINUTES }),
      threshold: 1,
    },
  } satisfies Record<string, AlarmDefinition>;
}

/** How old the oldest work of each part may be. */
function lags({ stage, segments, project, count, notifications }: AlarmsProps): readonly Limit[] {
  const { maximum } = limitsOf(stage);
  return [
    { metric: segments.metricApproximateAgeOfOldestMessage(MOST), threshold: 5 * MINUTE_IN_SECONDS },
    iteratorAge(project, FIVE_MINUTES_IN_MILLIS),
    iteratorAge(count, QUARTER_IN_MILLIS),
    maximum("UncountedSeconds", 15 * MINUTE_IN_SECONDS),
    maximum("OldestUnauditedSeconds", HOUR_IN_SECONDS),
    maximum("OldestUnsweptSeconds", 10 * MINUTE_IN_SECONDS),
    ...(notifications === undefined ? [] : [iteratorAge(notifications.notify, FIVE_MINUTES_IN_MILLIS)]),
  ];
}

function recordAlarms({ stage }: AlarmsProps) {
  const { total, maximum } = limitsOf(stage);
  return {
    SegmentsRefused: anyOf("Messages could not become log items, or contradict each other.", [
      total("SetAsideSegments"),
      total("DroppedMessages"),
      total("ConflictingSegments"),
    ]),
    ProjectionIncomplete: anyOf("Log items are missing from the projection.", [
      total("UnfoldedSegments", 10),
      total("AuditMismatches"),
    ]),
    LogItemsTouched: {
      problem: "A log item was changed or deleted, which only an erasure does.",
      ...total("ForeignStreamRecords"),
    },
    ClustersUnwatched: anyOf("A cluster stopped sending its heartbeat, or its observation has a gap.", [
      maximum("SilentClusters"),
      maximum("OpenGaps"),
    ]),
  } satisfies Record<string, AlarmDefinition>;
}

function platformAlarms({ functions, api, capacity, trial, log, meta, ...tables }: AlarmsProps) {
  const throttles = [
    ...[log, meta].flatMap((table) => throttled(table, Operation.PUT_ITEM, Operation.QUERY)),
    ...tables.jobTables.flatMap(throttledStates),
  ];
  return {
    FunctionsFail: functionsFail("Functions throw errors.", functions),
    ConcurrencyNearQuota: {
      problem: "The account is close to its quota of concurrent executions.",
      metric: LambdaFunction.metricAll("ClaimedAccountConcurrency", MOST),
      threshold: highConcurrency(capacity, trial?.concurrency ?? 0),
    },
    ApiFails: {
      problem: "The API answers with 5xx errors.",
      metric: api.metricServerError({ statistic: Stats.SUM, period: FIVE_MINUTES }),
      threshold: 5,
      periods: 2,
    },
    TablesThrottled: {
      problem: "DynamoDB throttled requests to tables or their indexes.",
      metric: sum(throttles, "Throttles"),
      threshold: 10,
      periods: 2,
    },
    // An alarm about all tables would have more metrics than it can have.
    RunTablesThrottled: {
      problem: "DynamoDB throttled requests to tables of runs or their indexes.",
      metric: sum(tables.runTables.flatMap(throttledStates), "Throttles"),
      threshold: 10,
      periods: 2,
    },
  } satisfies Record<string, AlarmDefinition>;
}

/**
 * Throttled requests to a table. A put that an index throttles counts as a request to its table (CloudWatch,
 * `ThrottledRequests`). Reads of indexes are queries.
 */
function throttled(table: Table, ...operations: readonly Operation[]) {
  return operations.map((operation) => table.metricThrottledRequestsForOperation(operation, { period: FIVE_MINUTES }));
}

function throttledStates(table: Table) {
  return throttled(table, Operation.PUT_ITEM, Operation.QUERY, Operation.GET_ITEM);
}

function archiveAlarms(stage: string) {
  const { maximum } = limitsOf(stage);
  return {
    ArchiveLags: anyOf("The archive is behind the log, or stored Jobs do not follow a rule or hold yet.", [
      maximum("ArchiveLagSeconds", 3 * HOUR_IN_SECONDS),
      maximum("RetentionLagSeconds", 6 * HOUR_IN_SECONDS),
    ]),
    ExpiryUnguarded: {
      problem: "The function that suspends expiry has not run for three hours.",
      metric: missingRuns(stage),
      threshold: 1,
      periods: 3,
    },
    ArchiveDamaged: {
      problem: "Objects of the archive are missing or were changed.",
      ...maximum("ArchiveProblems"),
    },
  } satisfies Record<string, AlarmDefinition>;
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

function notificationAlarms({ notifications, stage }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (notifications === undefined) return {};
  const { total } = limitsOf(stage);
  return {
    NotificationsFail: {
      problem: "A receiver has not accepted messages for half an hour.",
      ...total("FailedNotifications"),
      periods: 6,
    },
    NotificationsLost: anyOf("Messages were given up, or changes of Jobs could not be checked against the rules.", [
      total("DeadNotifications"),
      total("UnnotifiedChanges"),
    ]),
  };
}

/** Audit logs explain only: no Job is wrong without them, but deletions stay unexplained. */
function auditLogAlarms({ auditLogs, stage }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (auditLogs === undefined) return {};
  const lost = auditLogs.metric("DestinationDeliveryFailures", { statistic: Stats.SUM });
  return {
    AuditLogsLost: anyOf("Audit logs could not be read, or failed events are lost.", [
      limitsOf(stage).total("RejectedAuditLogs"),
      { metric: lost, threshold: 1 },
    ]),
  };
}

/** An alarm about all functions would have more metrics than it can have. */
function optionalAlarms({ archive, notifications, auditLogs }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  const functions = [archive, notifications?.notify, notifications?.deliver, auditLogs].filter(
    (each) => each !== undefined,
  );
  if (functions.length === 0) return {};
  const problem = "Functions of the archive, notifications or audit logs throw errors.";
  return { OptionalFunctionsFail: functionsFail(problem, functions) };
}

/** The trial cannot affect an answer unless its projection answers. */
function trialAlarms({ trial }: AlarmsProps): Readonly<Record<string, AlarmDefinition>> {
  if (trial === undefined) return {};
  const { project, refold } = trial;
  return {
    TrialFails: anyOf("The projectors of a trial throw errors, or are five minutes behind the log.", [
      ...[project, refold].map((each) => ({ metric: each.metricErrors(), threshold: 1 })),
      iteratorAge(project, FIVE_MINUTES_IN_MILLIS),
    ]),
  };
}

function functionsFail(problem: string, functions: readonly LambdaFunction[]): AlarmDefinition {
  return {
    problem,
    metric: sum(
      functions.map((each) => each.metricErrors()),
      "Errors",
    ),
    threshold: 1,
    periods: 2,
  };
}

const MOST = { statistic: Stats.MAXIMUM, period: FIVE_MINUTES };

function iteratorAge(reader: LambdaFunction, threshold: number): Limit {
  return { metric: reader.metric("IteratorAge", MOST), threshold };
}

/** Limits of the sum and of the maximum of a counter. */
function limitsOf(stage: string) {
  const over =
    (statistic: string) =>
    (name: MetricName, threshold = 1): Limit => ({ metric: outliveMetric(name, { stage, statistic }), threshold });
  return { total: over(Stats.SUM), maximum: over(Stats.MAXIMUM) };
}

/** Raised as soon as one of the limits is exceeded. */
function anyOf(problem: string, limits: readonly Limit[]): AlarmDefinition {
  const metric = exceededOf(limits, { label: "Exceeded limits", period: FIVE_MINUTES });
  return { problem, metric, threshold: 1 };
}

function sum(metrics: Parameters<typeof sumOf>[0], label: string): MathExpression {
  return sumOf(metrics, { label, period: FIVE_MINUTES });
}

/**
 * What is reserved counts as claimed, used or not (Lambda Developer Guide, "Monitoring concurrency"). The alarm is
 * about the rest of the account's quota.
 */
function highConcurrency(capacity: CapacitySettings, trial: number): number {
  const reserved = capacity.reserveConcurrency ? reservedOf(capacity) + trial : 0;
  return Math.floor(reserved + HIGH_SHARE * (capacity.accountConcurrency - reserved));
}
