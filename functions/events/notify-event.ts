import type { Context, DynamoDBStreamEvent, EventBridgeEvent } from "aws-lambda";
import { isOutage } from "../../src/adapters/aws/is-outage.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { decodeRowWrite } from "../../src/adapters/dynamodb/jobs/row-image.ts";
import type { NotifySetup } from "../../src/notify/outbox/notify-of-job.ts";
import { type JobNoticePorts, notifyOfJobs } from "../../src/notify/outbox/notify-of-jobs.ts";
import { notifyOfCronJobs, watchesSchedules } from "../../src/notify/outbox/notify-of-schedules.ts";
import { wakeOverdue } from "../../src/notify/outbox/wake-overdue.ts";
import type { ScheduleWatch } from "../../src/notify/watch-schedules.ts";
import type { ProjectionName } from "../../src/ports/projections.ts";
import type { WakeUps } from "../../src/ports/wake-ups.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import { retryUntil } from "../lambda/retry-until.ts";

/** Records of the streams of both tables of Jobs, or the schedule. */
export type NotifyEvent = DynamoDBStreamEvent | EventBridgeEvent<string, unknown>;

export interface NotifyDependencies extends Omit<JobNoticePorts, "retry"> {
  readonly wakeUps: WakeUps;
  readonly setup: NotifySetup;
  readonly watch: ScheduleWatch;
  /** The tables of Jobs, and those of runs. */
  readonly tables: Readonly<Record<ProjectionName, string>>;
  readonly runTables: Readonly<Record<ProjectionName, string>>;
  readonly count: CountMetric;
  readonly logger: Journal;
}

type NotifyContext = Pick<Context, "getRemainingTimeInMillis">;

/** Adds the messages that rules ask for. Others send them: a slow receiver does not delay this function. */
export async function onNotify(
  dependencies: NotifyDependencies,
  event: NotifyEvent,
  context: NotifyContext,
): Promise<void> {
  return "Records" in event ? onRows(dependencies, event, context) : onSchedule(dependencies, context);
}

/**
 * Written rows. It throws during an outage, and Lambda reports the batch again. A Job that fails for another reason is
 * counted and logged: it must not stop the stream for others.
 */
async function onRows(
  dependencies: NotifyDependencies,
  { Records }: DynamoDBStreamEvent,
  context: NotifyContext,
): Promise<void> {
  const { setup, tables, runTables, count, logger } = dependencies;
  const writes = Records.flatMap(({ eventSourceARN, dynamodb }) => {
    const table = eventSourceARN?.split("/")[1] ?? "";
    const projection = [tables.B, runTables.B].includes(table) ? "B" : "A";
    const write = decodeRowWrite(projection, dynamodb);
    if (write === undefined) return [];
    return [runTables.A, runTables.B].includes(table) ? { ...write, isRun: true as const } : write;
  });
  const ports = { ...dependencies, retry: retryUntil(context, count) };
  const { failed } = await notifyOfJobs(ports, setup, writes);
  const outage = failed.find(({ cause }) => isOutage(cause));
  if (outage !== undefined) throw outage.cause;
  count("UnnotifiedChanges", failed.length);
  for (const { key, cause } of failed) {
    logger.error("The change of a Job could not be checked against the rules.", { ...key, error: cause });
  }
}

const SCHEDULE_MILLIS = 5 * 60_000;
/** CronJobs that were begun are finished within seconds. */
const LAST_MILLIS = 30_000;
const RUNS_IN_AN_HOUR = 12;

/** One run of the schedule in an hour reads every notice. */
function isHourly(now: number): boolean {
  return Math.floor(now / SCHEDULE_MILLIS) % RUNS_IN_AN_HOUR === 0;
}

async function onSchedule(dependencies: NotifyDependencies, context: NotifyContext): Promise<void> {
  const { setup, watch, projections, meta, count, logger } = dependencies;
  if (isHourly(setup.now())) {
    const woken = await wakeOverdue(dependencies, setup.now());
    if (woken > 0) logger.warn("Messages had lost their wake-ups, and are delivered now.", { messages: woken });
  }
  if (!watchesSchedules(setup.rules)) return;
  const jobs = await liveJobs(projections, meta);
  const hasTime = () => context.getRemainingTimeInMillis() > LAST_MILLIS;
  const ports = { ...dependencies, jobs, retry: retryUntil(context, count) };
  const checked = await notifyOfCronJobs(ports, setup, { watch, hasTime });
  logger.info("CronJobs and clusters were checked against the rules.", { ...checked });
}
