import { isSeries } from "../../parents/kinds.ts";
import { queueOf } from "../../parents/run/run-queue.ts";
import { runOfJob, starterIn } from "../../parents/run/run-uid.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { JobCreated } from "../../job/model/fact.ts";
import type { JobAnswer, OwnerRef } from "../answer-document.ts";
import { presentRun as nameRun } from "../present-lineage.ts";
import { ownersAboveRun, workloadsOf } from "./answer-run.ts";
import { presentQueue } from "./present-run.ts";
import { runJobOf } from "./run-job-of.ts";
import { ownWaiting } from "./run-waiting.ts";
import { ownLabels, ownRecord, type RunMember, type RunRecord } from "./run-record.ts";

/** The uid of the run that has more to say about a Job: that of its owner, or its own if Kueue may admit it. */
export function runUidOfAnswer({ owners, uid }: JobAnswer): string {
  return starterIn(owners)?.uid ?? uid;
}

/** The answer with the owners above a Job that were observed, and the queue of a Job that Kueue admits by itself. */
export function inRun(
  answer: JobAnswer,
  run: RunRecord,
  others: ReadonlyMap<string, ParentRecord> = run.parents,
): JobAnswer {
  const record = ownRecord(run);
  const owner = starterIn(answer.owners);
  return owner === undefined ? withQueue(answer, record, others) : withOwnersAbove(answer, owner, record);
}

function withQueue(answer: JobAnswer, record: RunRecord, others: ReadonlyMap<string, ParentRecord>): JobAnswer {
  const queue = queueOf(workloadsOf(record).filter(({ first }) => first?.namespace === answer.namespace));
  return queue === undefined ? answer : { ...answer, queue: presentQueue(queue, others) };
}

function withOwnersAbove(answer: JobAnswer, owner: OwnerRef, record: RunRecord): JobAnswer {
  const { namespace } = answer;
  // A Job elsewhere may claim this owner, whose owners are no business of its readers.
  if (record.parents.get(record.uid)?.first?.namespace !== namespace) return answer;
  const above = ownersAboveRun(record).map((of) => ({
    ...of,
    namespace,
    by: "ownerReference" as const,
    ...roleIn(answer, of.kind),
  }));
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

/** What a label says that the Job does in an owner of this kind. */
function roleIn({ owners }: JobAnswer, kind: string): Pick<OwnerRef, "role"> {
  const role = owners.find((owner) => owner.kind === kind)?.role;
  return role === undefined ? {} : { role };
}

/** What a run shows of a Job, by the answer about it with its attempts. `shown` is the answer as the run keeps it. */
export function runMemberOf(created: JobCreated | undefined, answer: JobAnswer, shown: JobAnswer = answer): RunMember {
  const { namespace, owners, series, externalIds, cause, completeness, labels, annotations } = shown;
  const waiting = ownWaiting(shown);
  const named = created && runOfJob(created)?.named;
  return {
    namespace,
    owners,
    ...(series !== undefined && { series }),
    externalIds,
    ...(cause !== undefined && { cause }),
    job: runJobOf(answer),
    ...(waiting !== undefined && { waiting }),
    level: completeness.level,
    labels: ownLabels({ ...annotations, ...labels }),
    ...(named !== undefined && { named }),
  };
}
