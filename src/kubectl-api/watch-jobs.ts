import type { Attempt, JobAnswer } from "../explain/answer-document.ts";
import { attemptsOf } from "../job/derived/attempts.ts";
import { canonical } from "../job/model/canonical.ts";
import type { ClusterContext } from "../job/model/cluster-record.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { recordRules } from "../job/derived/job-answer.ts";
import type { JobRecord } from "../job/model/job-record.ts";
import { ownPods } from "../job/model/own-pod.ts";
import { listedAnswer } from "../projection/job-state/job-row.ts";
import { followClusters } from "../query/changes/follow-clusters.ts";
import { isAskedFor, type JobFilter } from "../query/list/job-filter.ts";
import type { LogPosition } from "../query/changes/log-position.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Scope } from "../query/access/scope.ts";
import { readSummary } from "../query/list/summary-row.ts";
import type { TouchedJob } from "../query/changes/touched-jobs.ts";
import type { PodRow } from "./table.ts";

/** What a watch tells of one object; one that is gone from the cluster stays in the list, so it is modified and not deleted. */
export interface WatchNews<Row> {
  /** Added and deleted: it came to meet the selector, or ceased to. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly row: Row;
}

export interface WatchRange {
  readonly ports: QueryPorts;
  readonly scope: Scope;
  readonly cluster: ClusterName;
  readonly now: Instant;
  /** Moved on. */
  readonly positions: Map<ClusterName, LogPosition>;
}

/** Jobs that became different since the positions. */
export async function* watchJobs(range: WatchRange, filter: JobFilter): AsyncGenerator<WatchNews<JobAnswer>> {
  for await (const { before, after } of changedJobs(range)) {
    const was = before !== undefined && isAskedFor(range.scope, filter, before.job);
    const is = isAskedFor(range.scope, filter, after.job);
    if (!was && !is) continue;
    if (before !== undefined && canonical(comparable(before.job)) === canonical(comparable(after.job))) continue;
    yield { type: is ? (was ? "MODIFIED" : "ADDED") : "DELETED", row: after.job };
  }
}

/** Pods of Jobs that became different since the positions. */
export async function* watchPods(
  range: WatchRange,
  isWanted: (row: PodRow) => boolean,
): AsyncGenerator<WatchNews<PodRow>> {
  for await (const { before, after } of changedJobs(range)) {
    if (!isAskedFor(range.scope, {}, after.job)) continue;
    const known = new Map((before?.attempts() ?? []).map((attempt) => [attempt.uid, canonical(attempt)]));
    for (const attempt of after.attempts()) {
      const row = { job: after.job, attempt };
      const was = known.get(attempt.uid);
      if (was !== canonical(attempt) && isWanted(row)) yield { type: was === undefined ? "ADDED" : "MODIFIED", row };
    }
  }
}

interface JobSight {
  readonly job: JobAnswer;
  readonly attempts: () => readonly Attempt[];
}
interface ChangedJob {
  readonly before?: JobSight;
  readonly after: JobSight;
}

async function* changedJobs({ ports, cluster, now, positions }: WatchRange): AsyncGenerator<ChangedJob> {
  for await (const { touches } of followClusters(ports, positions, now)) {
    for await (const touched of touches) {
      const changed = changeOf(cluster, touched) ?? (await asItIs(ports, cluster, touched));
      if (changed !== undefined) yield changed;
    }
  }
}

function changeOf(cluster: ClusterName, { facts, fold, behind }: TouchedJob): ChangedJob | undefined {
  const records = behind ?? fold;
  if (records === undefined) return undefined;
  const now = Math.max(...facts.map(({ at }) => at));
  const { before, after } = records;
  const isNew = before.job.created === undefined && before.pods.size === 0;
  return { ...(!isNew && { before: sightOf(cluster, before, now) }), after: sightOf(cluster, after, now) };
}

function sightOf(cluster: ClusterName, record: JobRecord, now: Instant): JobSight {
  const clusterContext: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
  const attempts = (): readonly Attempt[] =>
    attemptsOf(ownPods(record).values(), {
      job: record.job,
      clusterContext,
      rules: recordRules(record, clusterContext),
    });
  return { job: listedAnswer(cluster, record, now), attempts };
}

/** A Job of very many segments: as it is now, whatever changed. Its Pods are not told. */
async function asItIs(
  { jobs }: QueryPorts,
  cluster: ClusterName,
  { jobUid }: TouchedJob,
): Promise<ChangedJob | undefined> {
  const row = (await jobs.read({ cluster, jobUid }))?.row;
  return row === undefined ? undefined : { after: { job: readSummary(row), attempts: () => [] } };
}

/** When it was looked at is no difference. */
function comparable(job: JobAnswer): unknown {
  return { ...job, asOf: undefined, reported: job.reported?.status };
}
