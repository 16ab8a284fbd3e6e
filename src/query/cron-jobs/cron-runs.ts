import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { localDay } from "../../job/schedule/local-time.ts";
import { isKnownCluster } from "../clusters/clusters.ts";
import { type CronDay, cronDays } from "./cron-days.ts";
import { type CronJobAnswer, cronJobsIn } from "./cron-jobs.ts";
import { cronRun, type CronRunAnswer } from "./cron-run.ts";
import { matchesJob } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import { dueOf, type MissedRun, missedOf, missedRuns } from "./missed-runs.ts";
import { nearestNames } from "../../text/nearest-names.ts";
import { type Percentiles, percentiles } from "../summary/percentiles.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readSummary } from "../list/summary-row.ts";

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
  /** Of the days. A name that `isTimeZone` (src/job/schedule/local-time.ts) knows. */
  readonly timeZone: string;
}

export type CronRunsFound =
  | { readonly outcome: "answered"; readonly answer: CronRunsAnswer }
  | { readonly outcome: "unknownCronJob"; readonly near: readonly string[] };

/** Rows of the namespace that one answer reads, newest first. */
const MAX_ROWS = 10_000;
const PAGE = 500;
const MAX_LISTED = 1_000;

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
  const runs = jobs.map((job) => cronRun(name, job));
  const due = dueOf(cronJob, { from, now });
  const missed = missedOf(due, runs);
  const durations = runs.flatMap(({ durationSeconds }) => durationSeconds ?? []);
  const delays = runs.flatMap(({ delaySeconds }) => delaySeconds ?? []);
  return {
    ...(cronJob && { cronJob }),
    since: formatInstant(since),
    until: formatInstant(now),
    timeZone,
    days: cronDays({ due, missed, runs }, localDay(timeZone)),
    runs: runs.slice(0, MAX_LISTED),
    missed: missedRuns(missed.toReversed().slice(0, MAX_LISTED), runs, { cronJob, now }),
    ...(delays.length > 0 && { delaySeconds: percentiles(delays) }),
    ...(durations.length > 0 && { durationSeconds: percentiles(durations) }),
    ...(partialSince !== undefined && { partial: { since: formatInstant(partialSince) } }),
  };
}
