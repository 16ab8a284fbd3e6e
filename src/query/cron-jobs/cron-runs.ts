import * as v from "valibot";
import { type JobAnswer } from "../../explain/answer-document.ts";
import { expectationEntries } from "../../explain/expectation/expectation-schema.ts";
import { presentExpectation } from "../../explain/expectation/expectation-text.ts";
import { expectationOf } from "../../parents/series/expectation.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import { readRunsOfSeries } from "../../projection/series/series-runs.ts";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { localDay } from "../../parents/cron-job/local-time.ts";
import { isKnownCluster } from "../clusters/clusters.ts";
import { cronDays, cronDaySchema } from "./cron-days.ts";
import { cronFindings } from "../../parents/cron-job/cron-findings.ts";
import { cronPlan } from "../../parents/cron-job/cron-plan.ts";
import { dueRuns, type Observation } from "../../parents/cron-job/due-runs.ts";
import { cronFindingSchema, presentCronFinding, cronJobSchema, type KnownCronJob, knownCronJobs } from "./cron-jobs.ts";
import { observationOf } from "./observation.ts";
import {
  cronRun,
  type CronRunAnswer,
  cronRunSchema,
  missedRuns,
  missedRunSchema,
  observedRun,
  unobservedRuns,
  unobservedRunSchema,
} from "./cron-run.ts";
import { matchesJob } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { percentiles, percentilesSchema } from "../summary/percentiles.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";

export const cronRunsSchema = v.object({
  /** Absent if only Jobs of the CronJob were observed. Its schedule is then unknown. */
  cronJob: maybe(cronJobSchema),
  since: instant,
  until: instant,
  timeZone: text,
  days: v.array(cronDaySchema),
  /** Newest first, at most {@link MAX_LISTED}, like `missed` and `unobserved`. All three are empty with `daysOnly`. */
  runs: v.array(cronRunSchema),
  missed: v.pipe(
    v.array(missedRunSchema),
    v.description(
      "Scheduled times without a run, by the schedule of that time. `skipped`: the run `during` was still in progress.",
    ),
  ),
  unobserved: v.pipe(
    v.array(unobservedRunSchema),
    v.description("Scheduled times that were not observed: it is unknown whether there was a run."),
  ),
  findings: v.pipe(
    v.array(cronFindingSchema),
    v.description("What the last runs and due times show, as of the last data from the cluster."),
  ),
  delaySeconds: maybe(percentilesSchema),
  durationSeconds: maybe(percentilesSchema),
  /** Of a run that begins now. */
  ...expectationEntries,
  /** Set if the answer did not read all Jobs of the namespace: it covers those created since then. */
  partial: maybe(v.object({ since: instant })),
});
export type CronRunsAnswer = AnswerOf<typeof cronRunsSchema>;

export interface CronJobReference {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
}

export interface CronRunsQuery {
  readonly wanted: CronJobReference;
  readonly since: Instant;
  readonly now: Instant;
  /** Time zone of the days. `isTimeZone` (src/parents/cron-job/local-time.ts) must accept it. */
  readonly timeZone: string;
  /** Whether to count only: `runs`, `missed` and `unobserved` are empty then. @default false */
  readonly daysOnly?: boolean | undefined;
}

export type CronRunsFound =
  | { readonly outcome: "answered"; readonly answer: CronRunsAnswer }
  | { readonly outcome: "unknownCronJob"; readonly near: readonly string[] };

/** How many rows of the namespace one answer reads, newest first. */
const MAX_ROWS = 10_000;
const PAGE = 500;
const MAX_LISTED = 1_000;

/** The runs of a CronJob since a time, and the scheduled times without a run. */
export async function cronRuns(ports: QueryPorts, scope: Scope, query: CronRunsQuery): Promise<CronRunsFound> {
  const { cluster, namespace, name } = query.wanted;
  if (!mayRead(scope, cluster, namespace) || !(await isKnownCluster(ports.meta, scope, cluster))) return unknown([]);
  const seen = (await knownCronJobs(ports.meta, scope, cluster)).filter(({ answer }) => answer.namespace === namespace);
  const cronJob = seen.filter(({ answer }) => answer.name === name).toSorted(newestFirst)[0];
  const owned = await jobsOf(ports, scope, query);
  if (cronJob === undefined && owned.jobs.length === 0) return unknown(nearestTo(name, seen));
  const observation = await observationOf(ports.meta, cluster, query.now);
  const pastRuns = await readRunsOfSeries(ports.meta, cluster, { kind: "CronJob", namespace, name });
  return { outcome: "answered", answer: answerOf({ cronJob, observation, pastRuns, ...owned }, query) };
}

function unknown(near: readonly string[]): CronRunsFound {
  return { outcome: "unknownCronJob", near };
}

function nearestTo(name: string, seen: readonly KnownCronJob[]): readonly string[] {
  return nearestNames(
    name,
    seen.map(({ answer }) => answer.name),
  );
}

function newestFirst({ answer: a }: KnownCronJob, { answer: b }: KnownCronJob): number {
  return (b.createdAt ?? "") < (a.createdAt ?? "") ? -1 : 1;
}

interface OwnedJobs {
  readonly jobs: readonly JobAnswer[];
  readonly partialSince?: Instant;
}

async function jobsOf(
  ports: QueryPorts,
  scope: Scope,
  { wanted: { cluster, namespace, name }, since }: CronRunsQuery,
): Promise<OwnedJobs> {
  const filter = { cluster, namespace, createdAfter: since };
  const jobs: JobAnswer[] = [];
  let read = 0;
  for await (const row of readRows(ports, scope, { filter, pageSize: PAGE })) {
    if (read === MAX_ROWS) return { jobs, partialSince: row.createdAt };
    read += 1;
    const job = readSummary(row);
    if (matchesJob({ owner: `CronJob/${name}` }, job)) jobs.push(job);
  }
  return { jobs };
}

interface LoadedRuns extends OwnedJobs {
  readonly cronJob: KnownCronJob | undefined;
  readonly observation: Observation;
  readonly pastRuns: PastRuns;
}

function answerOf(loaded: LoadedRuns, { since, now, timeZone, daysOnly = false }: CronRunsQuery): CronRunsAnswer {
  const { cronJob, jobs, partialSince } = loaded;
  const runs = jobs.map((job) => cronRun(job));
  const { due, findings } = judgeRuns(loaded, runs, partialSince ?? since);
  const most = daysOnly ? 0 : MAX_LISTED;
  const durations = runs.flatMap(({ durationSeconds }) => durationSeconds ?? []);
  const delays = runs.flatMap(({ delaySeconds }) => delaySeconds ?? []);
  return {
    ...(cronJob && { cronJob: cronJob.answer }),
    since: formatInstant(since),
    until: formatInstant(now),
    timeZone,
    days: cronDays({ due, runs }, localDay(timeZone)),
    runs: runs.slice(0, most),
    missed: missedRuns(due, most),
    unobserved: unobservedRuns(due, most),
    findings: findings.map(presentCronFinding),
    ...(delays.length > 0 && { delaySeconds: percentiles(delays) }),
    ...(durations.length > 0 && { durationSeconds: percentiles(durations) }),
    ...expectationOfNext(loaded),
    ...(partialSince !== undefined && { partial: { since: formatInstant(partialSince) } }),
  };
}

/** What is expected of a run that begins now, with the template of the last run. */
function expectationOfNext({ pastRuns, observation: { gaps } }: LoadedRuns) {
  const newest = pastRuns.at(-1);
  if (newest === undefined) return {};
  const next = { template: newest.template, elapsed: 0 };
  const { expected, noExpectation } = presentExpectation(expectationOf(pastRuns, next, gaps));
  if (expected === undefined) return noExpectation === undefined ? {} : { noExpectation };
  const { remaining: _, ...ofRun } = expected;
  return { expected: ofRun };
}

/** More than every minute of a month. */
const MAX_DUE = 50_000;

function judgeRuns({ cronJob, observation, pastRuns }: LoadedRuns, answers: readonly CronRunAnswer[], after: Instant) {
  const plan = cronJob && cronPlan(cronJob.record);
  if (plan === undefined) return { due: [], findings: [] };
  const runs = answers.map(observedRun);
  const due = dueRuns(plan, runs, { ...observation, after, limit: MAX_DUE });
  return { due, findings: cronFindings({ plan, due, runs, ...observation, pastRuns }) };
}
