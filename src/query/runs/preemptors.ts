import { workloadsOf } from "../../explain/run/answer-run.ts";
import type { RunRecord } from "../../explain/run/run-record.ts";
import { type ClusterName, decodeJobUid } from "../../job/model/ids.ts";
import { queueOf } from "../../parents/run/run-queue.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { RunStore } from "../../ports/jobs.ts";
import { recordOf } from "../../projection/run-state/project-run.ts";
import { mayRead, type Scope } from "../access/scope.ts";

/** The most preemptors that are named. */
const MAX_PREEMPTORS = 8;

export interface Reader {
  readonly scope: Scope;
  readonly cluster: ClusterName;
}

/**
 * The Workloads that preempted a run or a Job, as far as the reader may see them: their names are those of other runs.
 * One read for each.
 */
export async function preemptorsOf(
  runs: RunStore,
  { scope, cluster }: Reader,
  record: RunRecord,
): Promise<ReadonlyMap<string, ParentRecord>> {
  const evictions = queueOf(workloadsOf(record))?.evictions ?? [];
  const owners = new Set(evictions.flatMap(({ by }) => decodeJobUid(by?.ownerUid) ?? []));
  const stored = await Promise.all(
    [...owners].slice(-MAX_PREEMPTORS).map(async (jobUid) => recordOf(jobUid, await runs.read({ cluster, jobUid }))),
  );
  const workloads = stored
    .flatMap(workloadsOf)
    .filter(({ first }) => first !== undefined && mayRead(scope, cluster, first.namespace));
  return new Map(workloads.map((workload) => [workload.uid, workload]));
}
