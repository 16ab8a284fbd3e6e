import type { Attempt, JobAnswer } from "../../../explain/answer-document.ts";
import { presentAttempts } from "../../../explain/present-attempt.ts";
import { canonical } from "../../../job/model/canonical.ts";
import type { ClusterContext } from "../../../job/model/cluster-context.ts";
import type { ClusterName } from "../../../job/model/ids.ts";
import type { Instant } from "../../../job/model/instant.ts";
import { recordRules } from "../../../explain/derived-job.ts";
import type { JobRecord } from "../../../job/model/job-record.ts";
import { ownPods } from "../../../job/model/own-pod.ts";
import { listedAnswer } from "../../../projection/job-state/derive-row.ts";
import { type FollowedSegment, followLog } from "../../../query/changes/follow-log.ts";
import { isSelected, type JobFilter } from "../../../query/list/job-filter.ts";
import type { LogPosition } from "../../../query/changes/log-position.ts";
import type { QueryPorts } from "../../../query/ports.ts";
import type { Scope } from "../../../query/access/scope.ts";
import { readSummary } from "../../../projection/job-state/summary-bytes.ts";
import { SegmentEffects, type TouchedJob } from "./touched-jobs.ts";
import type { PodRow } from "../kube-pods.ts";

/** A watch event about one object. An object that the cluster deletes stays in the list, so it is MODIFIED. */
export interface WatchChange<Row> {
  /** ADDED and DELETED: the object began or ceased to match the selector. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly row: Row;
}

export interface WatchRange {
  readonly ports: QueryPorts;
  readonly scope: Scope;
  readonly cluster: ClusterName;
  readonly now: Instant;
  /** Updated as the log is read. */
  readonly positions: Map<ClusterName, LogPosition>;
}

/** Jobs that changed since the positions. */
export async function* watchJobs(range: WatchRange, filter: JobFilter): AsyncGenerator<WatchChange<JobAnswer>> {
  for await (const { before, after } of changedJobs(range)) {
    const was = before !== undefined && isSelected(range.scope, filter, before.job);
    const is = isSelected(range.scope, filter, after.job);
    if (!was && !is) continue;
    if (before !== undefined && canonical(comparable(before.job)) === canonical(comparable(after.job))) continue;
    yield { type: is ? (was ? "MODIFIED" : "ADDED") : "DELETED", row: after.job };
  }
}

/** Pods that changed since the positions. */
export async function* watchPods(
  range: WatchRange,
  isWanted: (row: PodRow) => boolean,
): AsyncGenerator<WatchChange<PodRow>> {
  for await (const { before, after } of changedJobs(range)) {
    if (!isSelected(range.scope, {}, after.job)) continue;
    const known = new Map((before?.attempts() ?? []).map((attempt) => [attempt.uid, canonical(attempt)]));
    for (const attempt of after.attempts()) {
      const row = { job: after.job, attempt };
      const was = known.get(attempt.uid);
      if (was !== canonical(attempt) && isWanted(row)) yield { type: was === undefined ? "ADDED" : "MODIFIED", row };
    }
  }
}

interface JobObservation {
  readonly job: JobAnswer;
  readonly attempts: () => readonly Attempt[];
}
interface ChangedJob {
  readonly before?: JobObservation;
  readonly after: JobObservation;
}

async function* changedJobs(range: WatchRange): AsyncGenerator<ChangedJob> {
  const { ports, scope, cluster } = range;
  const effects = new SegmentEffects(ports, { cluster, scope });
  for await (const segment of newSegments(range)) {
    for await (const touched of effects.touch(segment)) {
      const changed = changeOf(cluster, touched) ?? (await currentJob(ports, cluster, touched));
      if (changed !== undefined) yield changed;
    }
  }
}

/** The position moves past a segment before the segment is yielded. */
async function* newSegments({ ports, cluster, now, positions }: WatchRange): AsyncGenerator<FollowedSegment> {
  const from = positions.get(cluster);
  if (from === undefined) return;
  const segments = followLog(ports, { cluster, from, now, withPacks: true });
  let next = await segments.next();
  for (; next.done !== true; next = await segments.next()) {
    positions.set(cluster, next.value.position);
    yield next.value;
  }
  positions.set(cluster, next.value);
}

function changeOf(cluster: ClusterName, { facts, fold, behind }: TouchedJob): ChangedJob | undefined {
  const records = behind ?? fold;
  if (records === undefined) return undefined;
  const now = Math.max(...facts.map(({ at }) => at));
  const { before, after } = records;
  const isNew = before.job.created === undefined && before.pods.size === 0;
  return { ...(!isNew && { before: observe(cluster, before, now) }), after: observe(cluster, after, now) };
}

function observe(cluster: ClusterName, record: JobRecord, now: Instant): JobObservation {
  const clusterContext: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
  const attempts = (): readonly Attempt[] =>
    presentAttempts(ownPods(record).values(), {
      job: record.job,
      clusterContext,
      rules: recordRules(record, clusterContext),
    });
  return { job: listedAnswer(cluster, record, now), attempts };
}

/** For a Job with very many segments: its current state, without Pods. */
async function currentJob(
  { jobs }: QueryPorts,
  cluster: ClusterName,
  { jobUid }: TouchedJob,
): Promise<ChangedJob | undefined> {
  const row = (await jobs.read({ cluster, jobUid }))?.row;
  return row === undefined ? undefined : { after: { job: readSummary(row), attempts: () => [] } };
}

/** A Job without the fields that change with every observation. */
function comparable(job: JobAnswer): unknown {
  return { ...job, asOf: undefined, reported: job.reported?.status };
}
