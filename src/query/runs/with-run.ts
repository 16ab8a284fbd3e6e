import type { JobAnswer } from "../../explain/answer-document.ts";
import { ownersAboveRun, workloadsOf } from "../../explain/run/answer-run.ts";
import { presentQueue } from "../../explain/run/present-run.ts";
import { ownRecord, type RunRecord } from "../../explain/run/run-record.ts";
import { presentRun as nameRun } from "../../explain/present-lineage.ts";
import { type ClusterName, decodeJobUid } from "../../job/model/ids.ts";
import { isSeries } from "../../parents/kinds.ts";
import { queueOf } from "../../parents/run/run-queue.ts";
import { starterIn } from "../../parents/run/run-uid.ts";
import { recordOf } from "../../projection/run-state/project-run.ts";
import type { RunStore } from "../../ports/jobs.ts";

/**
 * The answer with what the objects above a Job say: their owners, and the queue of a Job that Kueue admits by itself.
 * One read, for Jobs with an owner or a queue only.
 */
export async function withRun(
  runs: RunStore,
  answer: JobAnswer,
  { cluster, isQueued }: { readonly cluster: ClusterName; readonly isQueued: boolean },
): Promise<JobAnswer> {
  const owner = starterIn(answer.owners);
  const jobUid = decodeJobUid(owner === undefined && isQueued ? answer.uid : owner?.uid);
  const stored = jobUid && (await runs.read({ cluster, jobUid }));
  if (stored === undefined) return answer;
  const record = ownRecord(recordOf(jobUid ?? "", stored));
  return owner === undefined ? withQueue(answer, record) : withOwnersAbove(answer, owner, record);
}

function withQueue(answer: JobAnswer, record: RunRecord): JobAnswer {
  const queue = queueOf(workloadsOf(record).filter(({ first }) => first?.namespace === answer.namespace));
  return queue === undefined ? answer : { ...answer, queue: presentQueue(queue, record.parents) };
}

function withOwnersAbove(answer: JobAnswer, owner: JobAnswer["owners"][number], record: RunRecord): JobAnswer {
  const { namespace } = answer;
  // A Job elsewhere may claim this owner, whose owners are no business of its readers.
  if (record.parents.get(record.uid)?.first?.namespace !== namespace) return answer;
  const above = ownersAboveRun(record).map((of) => ({ ...of, namespace, by: "ownerReference" as const }));
  const known = new Set(above.map(({ kind }) => kind));
  const owners = [...answer.owners.filter((of) => of === owner || !known.has(of.kind)), ...above];
  const outermost = owners.findLast(({ kind }) => !isSeries(kind));
  const series = owners.find(({ kind }) => isSeries(kind));
  return {
    ...answer,
    owners,
    ...(outermost !== undefined && { run: nameRun(outermost, answer.run.attempt) }),
    ...(answer.series === undefined && series !== undefined && { series: nameRun(series, undefined) }),
  };
}
