import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { RunRecord } from "../../explain/run/run-record.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { type Column, columns, type TableRow } from "../parquet/column.ts";
import { USAGE_COLUMNS, usageOf } from "./usage-columns.ts";

/** Table `runs`: one row per run that ended. The names are the answer document's, in snake_case. */
export const RUN_COLUMNS: readonly Column[] = [
  ...columns("text", "cluster", "namespace", "kind", "name", "uid", "key", "series_kind", "series_name", "series_uid"),
  { name: "labels", kind: "texts" },
  { name: "external_ids", kind: "texts" },
  ...columns("instant", "created_at", "started_at", "finished_at", "deleted_at"),
  ...columns("text", "verdict_state", "verdict_reason", "verdict_basis"),
  ...columns("boolean", "verdict_final"),
  ...columns("instant", "verdict_since"),
  ...columns("whole", "attempts"),
  ...columns("whole", "jobs_total", "jobs_complete", "jobs_failed", "jobs_running", "jobs_waiting", "jobs_deleted"),
  ...columns("whole", "jobs_unknown"),
  {
    name: "members",
    kind: "structs",
    fields: [...columns("text", "uid", "name", "state")],
  },
  ...columns("text", "cause_category", "cause_responsible", "cause_retry", "cause_message", "cause_job", "cause_pod"),
  ...columns("text", "queue_name", "queue_cluster_queue"),
  ...columns("number", "queue_waiting_seconds"),
  ...columns("whole", "queue_evictions"),
  ...USAGE_COLUMNS,
  ...columns("text", "completeness_level"),
  ...columns("instant", "as_of"),
  ...columns("whole", "revision"),
];

export interface ArchivedRun {
  readonly answer: RunAnswer;
  /** Its uid is that of the run in the stores, and `key` of the row. */
  readonly record: Pick<RunRecord, "uid" | "jobs">;
  readonly revision: ArchiveHour;
}

export function runRow({ answer, record, revision }: ArchivedRun): TableRow {
  const { cluster, namespace, kind, name, uid, labels, externalIds, series, verdict } = answer;
  return {
    cluster,
    namespace,
    kind,
    name,
    uid,
    labels,
    revision,
    key: record.uid,
    series_kind: series?.kind,
    series_name: series?.name,
    series_uid: series?.uid,
    external_ids: externalIds,
    created_at: answer.createdAt,
    started_at: answer.startedAt,
    finished_at: answer.finishedAt,
    deleted_at: answer.deletedAt,
    verdict_state: verdict.state,
    verdict_reason: verdict.reason,
    verdict_basis: verdict.basis,
    verdict_final: verdict.final,
    verdict_since: verdict.since,
    attempts: answer.attempts.length,
    ...Object.fromEntries(Object.entries(answer.jobs).map(([state, number]) => [`jobs_${state}`, number])),
    members: [...record.jobs.values()].map(({ job }) => ({ uid: job.uid, name: job.name, state: job.state })),
    ...causeOf(answer),
    ...queueOf(answer),
    ...usageOf(answer),
    completeness_level: answer.completeness.level,
    as_of: answer.asOf.time,
  };
}

function causeOf({ cause }: RunAnswer): TableRow {
  return {
    cause_category: cause?.category,
    cause_responsible: cause?.responsible,
    cause_retry: cause?.retry,
    cause_message: cause?.message,
    cause_job: cause?.job,
    cause_pod: cause?.pod,
  };
}

/** A wait that has not ended counts until the run was last heard of. */
function queueOf({ queue, asOf }: RunAnswer): TableRow {
  if (queue === undefined) return {};
  const millis = queue.waits.reduce((sum, { from, to }) => sum + instantOf(to ?? asOf.time) - instantOf(from), 0);
  return {
    queue_name: queue.name,
    queue_cluster_queue: queue.clusterQueue,
    queue_waiting_seconds: millis / 1000,
    queue_evictions: queue.evictions.length,
  };
}

function instantOf(text: string): Instant {
  return parseInstant(text) ?? 0;
}
