import type { JobAnswer } from "../job/answer.ts";
import { minuteInName } from "../job/cron-lineage.ts";
import { dueTimes, parseCronSchedule } from "../job/cron-schedule.ts";
import type { ClusterName } from "../job/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../job/instant.ts";
import { isTimeZone, localDay } from "../job/local-time.ts";
import { isKnownCluster } from "./clusters.ts";
import { type CronJobAnswer, cronJobsIn } from "./cron-jobs.ts";
import { matchesJob, type State } from "./job-filter.ts";
import { readRows } from "./list-jobs.ts";
import { nearestNames } from "./nearest-names.ts";
import { type Percentiles, percentiles } from "./percentiles.ts";
import type { QueryPorts } from "./ports.ts";
import { mayRead, type Scope } from "./scope.ts";
import { readSummary } from "./summary-row.ts";

/** One Job of a CronJob. */
export interface CronRunAnswer {
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  readonly reason?: string;
  /** The time it was made for; absent for one that a person made. */
  readonly scheduledAt?: string;
  readonly createdAt: string;
  readonly finishedAt?: string;
  /** Seconds from the time it was made for to its creation. */
  readonly delaySeconds?: number;
  /** Seconds from start to finish. */
  readonly durationSeconds?: number;
  readonly attention: boolean;
}

/** A calendar day of the time zone that was asked for. */
export interface CronDay {
  readonly day: string;
  /** Times the schedule was due. */
  readonly expected: number;
  readonly runs: number;
  readonly complete: number;
  readonly failed: number;
  /** Due, and no run was made for it. */
  readonly missed: number;
}

/** A time the schedule was due and no run was made for. `skipped`: another run was going on, and the policy forbids two. */
export interface MissedRun {
  readonly dueAt: string;
  readonly cause: "skipped" | "missed";
}

export interface CronRunsAnswer {
  /** Absent where the CronJob itself was never seen, only its Jobs: then nothing is known of its schedule. */
  readonly cronJob?: CronJobAnswer;
  readonly since: string;
  readonly until: string;
  readonly timeZone: string;
  readonly days: readonly CronDay[];
  /** Newest first, at most 1,000. */
  readonly runs: readonly CronRunAnswer[];
  /** Newest first, at most 1,000. By the schedule that was seen last: what it was before is not known. */
  readonly missed: readonly MissedRun[];
  readonly delaySeconds?: Percentiles;
  readonly durationSeconds?: Percentiles;
  /** Set where the namespace has more Jobs than one answer reads: it covers those created since. */
  readonly partial?: { readonly since: string };
}

export interface CronJobReference {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
}

export interface CronRunsQuery {
  readonly since: Instant;
  readonly now: Instant;
  /** Of the days. A name that {@link isTimeZone} knows. */
  readonly timeZone: string;
}

export type CronRunsFound =
  | { readonly outcome: "answered"; readonly answer: CronRunsAnswer }
  | { readonly outcome: "unknownCronJob"; readonly near: readonly string[] };

/** Rows of the namespace that one answer reads, newest first. */
const MAX_ROWS = 10_000;
const PAGE = 500;
const MAX_LISTED = 1_000;
/** Every minute for a month, and a little more. */
const MAX_DUE = 50_000;
/** The controller looks every ten seconds, and a segment takes some: what was due less long ago may still come. */
const GRACE_MILLIS = 120_000;
const MINUTE = 60_000;

/** What became of a CronJob's runs since a time: those there were, and those that its schedule was due for and that nobody made. */
export async function cronRuns(
  ports: QueryPorts,
  scope: Scope,
  wanted: CronJobReference,
  query: CronRunsQuery,
): Promise<CronRunsFound> {
  const { cluster, namespace, name } = wanted;
  if (!mayRead(scope, cluster, namespace) || !(await isKnownCluster(ports.meta, scope, cluster))) return unknown([]);
  const seen = (await cronJobsIn(ports.meta, scope, cluster)).filter((one) => one.namespace === namespace);
  const cronJob = seen.filter((one) => one.name === name).toSorted(newestFirst)[0];
  const { jobs, partialSince } = await jobsOf(ports, scope, wanted, query.since);
  if (cronJob === undefined && jobs.length === 0) return unknown(nearestTo(name, seen));
  return { outcome: "answered", answer: answerOf(name, cronJob, jobs, { ...query, partialSince }) };
}

function unknown(near: readonly string[]): CronRunsFound {
  return { outcome: "unknownCronJob", near };
}

function nearestTo(name: string, seen: readonly CronJobAnswer[]): readonly string[] {
  return nearestNames(
    name,
    seen.map((one) => one.name),
  );
}

function newestFirst(a: CronJobAnswer, b: CronJobAnswer): number {
  return (b.createdAt ?? "") < (a.createdAt ?? "") ? -1 : 1;
}

interface OwnedJobs {
  readonly jobs: readonly JobAnswer[];
  readonly partialSince?: Instant;
}

async function jobsOf(
  ports: QueryPorts,
  scope: Scope,
  { cluster, namespace, name }: CronJobReference,
  since: Instant,
): Promise<OwnedJobs> {
  const jobs: JobAnswer[] = [];
  let read = 0;
  for await (const row of readRows(ports, scope, { cluster, namespace, createdAfter: since }, { pageSize: PAGE })) {
    if (read === MAX_ROWS) return { jobs, partialSince: row.createdAt };
    read += 1;
    const job = readSummary(row);
    if (matchesJob({ owner: `CronJob/${name}` }, job)) jobs.push(job);
  }
  return { jobs };
}

function answerOf(
  name: string,
  cronJob: CronJobAnswer | undefined,
  jobs: readonly JobAnswer[],
  { since, now, timeZone, partialSince }: CronRunsQuery & { readonly partialSince: Instant | undefined },
): CronRunsAnswer {
  const from = partialSince ?? since;
  const runs = jobs.map((job) => runOf(name, job));
  const due = dueOf(cronJob, { from, now });
  const missed = missedOf(due, runs, cronJob, now);
  const durations = runs.flatMap(({ durationSeconds }) => durationSeconds ?? []);
  const delays = runs.flatMap(({ delaySeconds }) => delaySeconds ?? []);
  return {
    ...(cronJob && { cronJob }),
    since: formatInstant(since),
    until: formatInstant(now),
    timeZone,
    days: daysOf(due, runs, missed, localDay(timeZone)),
    runs: runs.slice(0, MAX_LISTED),
    missed: missed.toReversed().slice(0, MAX_LISTED),
    ...(delays.length > 0 && { delaySeconds: percentiles(delays) }),
    ...(durations.length > 0 && { durationSeconds: percentiles(durations) }),
    ...(partialSince !== undefined && { partial: { since: formatInstant(partialSince) } }),
  };
}

function runOf(cronJob: string, job: JobAnswer): CronRunAnswer {
  const { name, uid, verdict, createdAt, startedAt, finishedAt, findings } = job;
  const scheduledAt = minuteInName(name, cronJob);
  const delay = secondsBetween(scheduledAt, parseInstant(createdAt));
  const duration = secondsBetween(parseInstant(startedAt), parseInstant(finishedAt));
  return {
    name,
    uid,
    state: verdict.state,
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    ...(scheduledAt !== undefined && { scheduledAt: formatInstant(scheduledAt) }),
    createdAt,
    ...(finishedAt !== undefined && { finishedAt }),
    ...(delay !== undefined && { delaySeconds: delay }),
    ...(duration !== undefined && { durationSeconds: duration }),
    attention: findings.length > 0,
  };
}

function secondsBetween(from: Instant | undefined, to: Instant | undefined): number | undefined {
  return from === undefined || to === undefined || to < from ? undefined : (to - from) / 1_000;
}

/** When it was due in its life, by the schedule that was seen last. A suspended one is due no more. */
function dueOf(
  cronJob: CronJobAnswer | undefined,
  { from, now }: { readonly from: Instant; readonly now: Instant },
): readonly Instant[] {
  const schedule = cronJob?.schedule === undefined ? undefined : parseCronSchedule(cronJob.schedule);
  if (cronJob === undefined || schedule === undefined) return [];
  const { createdAt, deletedAt, suspend, lastScheduledAt, timeZone = "UTC" } = cronJob;
  if (!isTimeZone(timeZone)) return [];
  const after = Math.max(from, parseInstant(createdAt) ?? from);
  const end = suspend === true ? (parseInstant(lastScheduledAt) ?? after) : now - GRACE_MILLIS;
  return dueTimes(schedule, { after, until: Math.min(end, parseInstant(deletedAt) ?? end), timeZone, limit: MAX_DUE });
}

function missedOf(
  due: readonly Instant[],
  runs: readonly CronRunAnswer[],
  cronJob: CronJobAnswer | undefined,
  now: Instant,
): readonly MissedRun[] {
  const made = new Set(runs.map(({ scheduledAt }) => parseInstant(scheduledAt)));
  const forbids = cronJob?.concurrencyPolicy === "Forbid";
  return due
    .filter((at) => !made.has(at))
    .map((at) => ({
      dueAt: formatInstant(at),
      cause: forbids && runs.some((run) => goesOnAt(run, at, now)) ? "skipped" : "missed",
    }));
}

function goesOnAt({ createdAt, finishedAt }: CronRunAnswer, at: Instant, now: Instant): boolean {
  return (parseInstant(createdAt) ?? now) <= at && (parseInstant(finishedAt) ?? now) > at;
}

function daysOf(
  due: readonly Instant[],
  runs: readonly CronRunAnswer[],
  missed: readonly MissedRun[],
  dayOf: (at: Instant) => string,
): readonly CronDay[] {
  const days = new Map<string, CronDay>();
  const add = (at: Instant, counts: Partial<Omit<CronDay, "day">>): void => {
    const day = dayOf(at);
    const known = days.get(day) ?? { day, expected: 0, runs: 0, complete: 0, failed: 0, missed: 0 };
    days.set(day, {
      day,
      expected: known.expected + (counts.expected ?? 0),
      runs: known.runs + (counts.runs ?? 0),
      complete: known.complete + (counts.complete ?? 0),
      failed: known.failed + (counts.failed ?? 0),
      missed: known.missed + (counts.missed ?? 0),
    });
  };
  for (const at of due) add(at, { expected: 1 });
  for (const { dueAt } of missed) add(parseInstant(dueAt) ?? 0, { missed: 1 });
  for (const { scheduledAt, createdAt, state } of runs) {
    const at = parseInstant(scheduledAt ?? createdAt) ?? 0;
    add(Math.floor(at / MINUTE) * MINUTE, {
      runs: 1,
      complete: state === "Complete" ? 1 : 0,
      failed: state === "Failed" ? 1 : 0,
    });
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
