import type { Instant } from "../../../src/job/model/instant.ts";
import { dueTimes, parseCronSchedule } from "../../../src/parents/cron-job/cron-schedule.ts";
import { drawnUid } from "./drawn.ts";
import { jobLife, type JobLife, type PlannedAttempt } from "./job-life.ts";
import type { JobTemplate } from "./job-objects.ts";
import { DAY, MINUTE, type RecordedEvent, SECOND, stamp, type WatchEvent } from "./watch-events.ts";

export interface PlannedSeries {
  readonly name: string;
  readonly template: JobTemplate;
  readonly schedule: string;
  readonly timeZone?: string;
  readonly concurrencyPolicy?: "Allow" | "Forbid";
  readonly startingDeadlineSeconds?: number;
  readonly run: (due: DueTime) => PlannedRun;
}

/** A due time, and its place among all of them. */
export interface DueTime {
  readonly at: Instant;
  /** Counted from the first. */
  readonly number: number;
  /** How many are later. */
  readonly later: number;
}

export interface PlannedRun {
  readonly attempts: readonly PlannedAttempt[];
  /** What differs from the template of the series. */
  readonly changed?: Partial<JobTemplate>;
  /** The API server refuses to create the Job: the message says why. */
  readonly refused?: string;
}

export interface SeriesRange {
  /** When the watch began. */
  readonly from: Instant;
  readonly until: Instant;
  /** The controller manager was down. When it starts again, it creates the latest run that is due. */
  readonly outage?: { readonly from: Instant; readonly to: Instant };
}

const CREATED_BEFORE = 40 * DAY;
/** How many Jobs of each outcome a CronJob keeps. */
const HISTORY_LIMIT = 3;
const MOST_TIMES = 10_000;

/** The watch events of a CronJob and of all its runs. */
export function cronJobLife(series: PlannedSeries, range: SeriesRange): readonly RecordedEvent[] {
  const runs = runsOf(series, range);
  const events: RecordedEvent[] = runs.flatMap((run) => ("life" in run ? run.life.events : [refusal(series, run)]));
  return [...events, ...deletions(runs), ...observations(series, runs, range)];
}

type Run =
  | { readonly due: DueTime; readonly life: JobLife; readonly createdAt: Instant }
  | { readonly due: DueTime; readonly refused: string };

function dueBetween({ schedule: text, timeZone }: PlannedSeries, after: Instant, until: Instant): readonly DueTime[] {
  const schedule = parseCronSchedule(text);
  if (schedule === undefined) return [];
  const times = dueTimes(schedule, { after, until, limit: MOST_TIMES, timeZone });
  return times.map((at, number) => ({ at, number, later: times.length - 1 - number }));
}

function runsOf(series: PlannedSeries, range: SeriesRange): readonly Run[] {
  const times = dueBetween(series, range.from, range.until);
  return times.flatMap((due): readonly Run[] => {
    const { at, number } = due;
    const startsAt = startOf(at, { next: times[number + 1]?.at ?? Infinity, series, range });
    if (startsAt === undefined) return [];
    const { attempts, changed, refused } = series.run(due);
    if (refused !== undefined) return [{ due, refused }];
    const owner = { apiVersion: "batch/v1", kind: "CronJob", name: series.name, uid: uidOf(series) };
    const name = `${series.name}-${at / MINUTE}`;
    const createdAt = startsAt + SECOND;
    const job = { ...series.template, ...changed, name, createdAt, owner, scheduledAt: at };
    return [{ due, life: jobLife(job, attempts), createdAt }];
  });
}

interface Planned {
  readonly next: Instant;
  readonly series: PlannedSeries;
  readonly range: SeriesRange;
}

/** When the controller creates the run; `undefined` for a run that it misses. */
function startOf(at: Instant, { next, series, range: { outage } }: Planned): Instant | undefined {
  if (outage === undefined || at < outage.from || at > outage.to) return at;
  const deadline = at + (series.startingDeadlineSeconds ?? Infinity) * SECOND;
  return next > outage.to && deadline >= outage.to ? outage.to : undefined;
}

function uidOf({ template: { cluster, namespace }, name }: PlannedSeries): string {
  return drawnUid(`${cluster} cronjob ${namespace}/${name}`);
}

/** Of the Jobs with one outcome, the controller deletes the oldest when one more has ended. */
function deletions(runs: readonly Run[]): readonly RecordedEvent[] {
  const lives = runs.flatMap((run) => ("life" in run && Number.isFinite(run.life.endedAt) ? [run.life] : []));
  return [true, false].flatMap((outcome) => {
    const ended = lives.filter(({ isComplete }) => isComplete === outcome).toSorted((a, b) => a.endedAt - b.endedAt);
    return ended.flatMap((life, index) => {
      const later = ended[index + HISTORY_LIMIT];
      return later === undefined ? [] : life.deletedAt(later.endedAt + 2 * SECOND);
    });
  });
}

/** The CronJob when the watch begins, and when it has started the last run of a day. The others show the same. */
function observations(series: PlannedSeries, runs: readonly Run[], { from }: SeriesRange): readonly WatchEvent[] {
  const createdAt = from - CREATED_BEFORE;
  const scheduled = dueBetween(series, createdAt, from).at(-1)?.at;
  const events = [cronJobEvent(series, { at: from, type: "ADDED", createdAt, scheduled })];
  let succeeded: Instant | undefined;
  for (const [index, run] of runs.entries()) {
    if (!("life" in run)) continue;
    const { life, createdAt: at, due } = run;
    const isLastOfDay = dayOf(runs[index + 1]?.due.at ?? Infinity) !== dayOf(due.at);
    const status = { createdAt, scheduled: due.at, succeeded };
    if (isLastOfDay) events.push(cronJobEvent(series, { at, type: "MODIFIED", ...status }));
    if (life.isComplete) succeeded = life.endedAt;
  }
  return events;
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY);
}

interface CronJobStatus {
  readonly at: Instant;
  readonly type: WatchEvent["type"];
  readonly createdAt: Instant;
  readonly scheduled?: Instant | undefined;
  readonly succeeded?: Instant | undefined;
}

function cronJobEvent(series: PlannedSeries, { at, type, createdAt, scheduled, succeeded }: CronJobStatus): WatchEvent {
  const { name, template, schedule, timeZone, concurrencyPolicy = "Forbid", startingDeadlineSeconds } = series;
  const metadata = {
    name,
    namespace: template.namespace,
    uid: uidOf(series),
    generation: 1,
    creationTimestamp: stamp(createdAt),
    labels: template.labels,
  };
  const limits = { successfulJobsHistoryLimit: HISTORY_LIMIT, failedJobsHistoryLimit: HISTORY_LIMIT };
  const spec = { schedule, timeZone, concurrencyPolicy, startingDeadlineSeconds, suspend: false, ...limits };
  const status = {
    ...(scheduled !== undefined && { lastScheduleTime: stamp(scheduled) }),
    ...(succeeded !== undefined && { lastSuccessfulTime: stamp(succeeded) }),
  };
  return { at, type, object: { apiVersion: "batch/v1", kind: "CronJob", metadata, spec, status } };
}

function refusal(series: PlannedSeries, { due, refused }: Extract<Run, { readonly refused: string }>): WatchEvent {
  const { name, template } = series;
  const at = due.at + SECOND;
  const uid = drawnUid(`event ${uidOf(series)} ${due.at}`);
  const metadata = {
    name: `${name}.${uid.slice(0, 8)}`,
    namespace: template.namespace,
    uid,
    creationTimestamp: stamp(at),
  };
  const involvedObject = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    namespace: template.namespace,
    name,
    uid: uidOf(series),
  };
  const times = { firstTimestamp: stamp(at), lastTimestamp: stamp(at), count: 1 };
  const event = { involvedObject, reason: "FailedCreate", message: refused, type: "Warning", ...times };
  return { at, type: "ADDED", object: { apiVersion: "v1", kind: "Event", metadata, ...event, source: SOURCE } };
}

const SOURCE = { component: "cronjob-controller" };
