import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { type Column, columns, type TableRow } from "../parquet/column.ts";

/** Table `attempts`: one row per Pod that ended. */
export const ATTEMPT_COLUMNS: readonly Column[] = [
  ...columns("text", "cluster", "namespace", "job_name", "job_uid", "uid", "name"),
  ...columns("whole", "index"),
  ...columns("text", "node", "outcome", "counted_as", "category", "cause"),
  ...columns("long", "exit_code"),
  ...columns("text", "reason", "message"),
  ...columns("long", "restarts"),
  {
    name: "containers",
    kind: "structs",
    fields: [
      ...columns("text", "name"),
      ...columns("long", "exit_code"),
      ...columns("text", "reason"),
      ...columns("long", "signal"),
      ...columns("instant", "started_at", "finished_at"),
      ...columns("long", "restart_count"),
    ],
  },
  ...columns("instant", "created_at", "scheduled_at", "started_at", "finished_at", "deleted_at"),
  ...columns("text", "deleted_by_actor", "deleted_by_cause", "deleted_by_confidence"),
  ...columns("whole", "revision"),
];

export interface ArchivedAttempt {
  readonly job: Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid">;
  readonly attempt: Attempt;
  readonly revision: ArchiveHour;
}

export function attemptRow({ job, attempt, revision }: ArchivedAttempt): TableRow {
  const { uid, name, index, node, outcome, countedAs, category, cause, exitCode, reason, message, restarts } = attempt;
  const { deletedBy } = attempt;
  return {
    cluster: job.cluster,
    namespace: job.namespace,
    job_name: job.name,
    job_uid: job.uid,
    uid,
    name,
    index,
    node,
    outcome,
    category,
    cause,
    reason,
    message,
    restarts,
    revision,
    counted_as: countedAs,
    exit_code: exitCode,
    containers: attempt.containers.map((run) => ({
      name: run.name,
      exit_code: run.exitCode,
      reason: run.reason,
      signal: run.signal,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
      restart_count: run.restartCount,
    })),
    created_at: attempt.createdAt,
    scheduled_at: attempt.scheduledAt,
    started_at: attempt.startedAt,
    finished_at: attempt.finishedAt,
    deleted_at: attempt.deletedAt,
    deleted_by_actor: deletedBy?.actor,
    deleted_by_cause: deletedBy?.cause,
    deleted_by_confidence: deletedBy?.confidence,
  };
}
