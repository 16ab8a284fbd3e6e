import pLimit from "p-limit";
import { deriveRecord } from "../../explain/derived-job.ts";
import { seenAtOf } from "../../explain/run/answer-run.ts";
import type { RunMember, RunRecord } from "../../explain/run/run-record.ts";
import { type ClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { sumOfUsage, type Usage } from "../../job/usage/usage.ts";
import { decodeJobState, type JobState } from "../../projection/job-state/job-state.ts";
import { NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import { unpackWithUsage } from "../../projection/job-state/summary-bytes.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { readCluster } from "../clusters/cluster-records.ts";
import type { RunPorts } from "../ports.ts";

/** The most Jobs whose states are read, and how many at the same time. */
const MAX_READ = 100;
const AT_ONCE = 16;

/** A run, and the instant until which its Jobs reserved what it has. */
export interface RunAt {
  readonly record: RunRecord;
  readonly asOf: Instant;
}

/**
 * Adds the usage of the Jobs that still have Pods, up to the last data from the cluster. It reads the state of each of
 * them: of none, if the run has ended. If they are too many, it reads none either, and the usage of the run is unknown.
 */
export async function withLiveUsage(
  { jobs, meta }: RunPorts,
  { cluster, record }: { readonly cluster: ClusterName; readonly record: RunRecord },
  queriedAt: Instant,
): Promise<RunAt> {
  const live = [...record.jobs].filter(([, { usage }]) => usage === undefined);
  if (live.length === 0 || live.length > MAX_READ) return { record, asOf: seenAtOf(record) };
  const states = await pLimit(AT_ONCE).map(live, async ([uid]) => {
    const jobUid = decodeJobUid(uid);
    const stored = jobUid && (await jobs.read({ cluster, jobUid }));
    if (stored === undefined || jobUid === undefined) return [];
    return [{ state: decodeJobState(jobUid, stored.bytes), row: stored.row }];
  });
  const heardAt = (await readCluster(meta, cluster))?.observed?.at ?? 0;
  const seenAt = Math.max(seenAtOf(record), heardAt, ...states.flat().map(({ state }) => state.seenAt));
  const asOf = Math.min(seenAt, queriedAt);
  const members = live.map(([uid, member], index) => [uid, withUsage(member, states[index]?.[0], asOf)] as const);
  return { record: { ...record, jobs: new Map([...record.jobs, ...members]) }, asOf };
}

interface ReadJob {
  readonly state: JobState;
  readonly row: JobRow | undefined;
}

function withUsage(member: RunMember, job: ReadJob | undefined, now: Instant): RunMember {
  const usage = job && usageOf(job, now);
  return usage === undefined ? member : { ...member, usage };
}

/** That of a large Job is in its row, once it has ended and a sweep has read its Pods. */
function usageOf({ state, row }: ReadJob, now: Instant): Usage | undefined {
  if (state.layout === "inline") return deriveRecord(state.record, { clusterContext: NO_CONTEXT, now }).usage;
  const { Active, Terminating } = state.tally.outcomes;
  const usage = row === undefined || Active + Terminating > 0 ? undefined : unpackWithUsage(row.summary).usage;
  return usage && sumOfUsage(usage.values());
}
