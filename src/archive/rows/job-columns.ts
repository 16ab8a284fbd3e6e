import type { JobAnswer } from "../../explain/answer-document.ts";
import { type ArchiveHour, hourBegin } from "../layout/archive-hour.ts";
import { type Column, columns, type TableRow } from "../parquet/column.ts";
import { USAGE_COLUMNS, usageOf } from "./usage-columns.ts";

/** Table `jobs`: one row per Job that finished or was deleted. The names are the answer document's, in snake_case. */
export const JOB_COLUMNS: readonly Column[] = [
  ...columns("text", "cluster", "namespace", "name", "uid", "owner_kind", "owner_name", "owner_uid"),
  { name: "labels", kind: "texts" },
  ...columns("instant", "created_at", "started_at", "finished_at", "deleted_at"),
  ...columns("text", "deleted_by_actor", "deleted_by_cause", "deleted_by_confidence"),
  ...columns("whole", "spec_completions", "spec_parallelism", "spec_backoff_limit"),
  ...columns("long", "spec_active_deadline_seconds", "spec_ttl_seconds_after_finished"),
  ...columns("text", "spec_completion_mode"),
  ...columns("boolean", "spec_suspend"),
  ...columns("whole", "status_active", "status_ready", "status_terminating", "status_succeeded", "status_failed"),
  ...columns("text", "status_completed_indexes", "status_failed_indexes"),
  ...columns("text", "verdict_state", "verdict_reason", "verdict_basis"),
  ...columns("boolean", "verdict_final"),
  ...columns("instant", "verdict_since"),
  ...columns("text", "tracking"),
  ...columns("whole", "pods_seen", "pods_succeeded", "pods_failed", "pods_active", "pods_terminating", "pods_unknown"),
  ...columns("text", "cause_category", "cause_responsible", "cause_retry", "cause_message"),
  ...columns("whole", "cause_attempts"),
  {
    name: "findings",
    kind: "structs",
    fields: [...columns("text", "kind", "message"), ...columns("instant", "since"), ...columns("whole", "pod_count")],
  },
  ...columns("whole", "needless_runs"),
  ...columns("number", "needless_seconds"),
  ...USAGE_COLUMNS,
  ...columns("text", "completeness_level"),
  ...columns("instant", "as_of"),
  { name: "archive_hours", kind: "instants" },
  ...columns("whole", "revision"),
];

export interface ArchivedJob {
  readonly answer: JobAnswer;
  /** Pods that succeeded in addition to the required ones, and their run time. */
  readonly needless: { readonly runs: number; readonly millis: number };
  /** The hours of the archive that have facts about the Job. */
  readonly hours: readonly ArchiveHour[];
  readonly revision: ArchiveHour;
}

export function jobRow({ answer, needless, hours, revision }: ArchivedJob): TableRow {
  const { cluster, namespace, name, uid, owner, labels, deletedBy, tracking, completeness, asOf } = answer;
  return {
    cluster,
    namespace,
    name,
    uid,
    labels,
    tracking,
    revision,
    owner_kind: owner?.kind,
    owner_name: owner?.name,
    owner_uid: owner?.uid,
    ...timesOf(answer),
    deleted_by_actor: deletedBy?.actor,
    deleted_by_cause: deletedBy?.cause,
    deleted_by_confidence: deletedBy?.confidence,
    ...specOf(answer),
    ...statusOf(answer),
    ...causeOf(answer),
    findings: answer.findings.map(({ kind, message, since, podCount }) => ({
      kind,
      message,
      since,
      pod_count: podCount,
    })),
    needless_runs: needless.runs,
    needless_seconds: needless.millis / 1000,
    ...usageOf(answer),
    completeness_level: completeness.level,
    as_of: asOf.time,
    archive_hours: hours.map(hourBegin),
  };
}

function timesOf({ createdAt, startedAt, finishedAt, deletedAt }: JobAnswer): TableRow {
  return { created_at: createdAt, started_at: startedAt, finished_at: finishedAt, deleted_at: deletedAt };
}

function causeOf({ cause }: JobAnswer): TableRow {
  return {
    cause_category: cause?.category,
    cause_responsible: cause?.responsible,
    cause_retry: cause?.retry,
    cause_message: cause?.message,
    cause_attempts: cause?.attempts,
  };
}

function specOf({ spec }: JobAnswer): TableRow {
  return {
    spec_completions: spec.completions,
    spec_parallelism: spec.parallelism,
    spec_backoff_limit: spec.backoffLimit,
    spec_active_deadline_seconds: spec.activeDeadlineSeconds,
    spec_ttl_seconds_after_finished: spec.ttlSecondsAfterFinished,
    spec_completion_mode: spec.completionMode,
    spec_suspend: spec.suspend,
  };
}

function statusOf({ status, verdict, pods }: JobAnswer): TableRow {
  return {
    status_active: status.active ?? 0,
    status_ready: status.ready ?? 0,
    status_terminating: status.terminating ?? 0,
    status_succeeded: status.succeeded ?? 0,
    status_failed: status.failed ?? 0,
    status_completed_indexes: status.completedIndexes,
    status_failed_indexes: status.failedIndexes,
    verdict_state: verdict.state,
    verdict_reason: verdict.reason,
    verdict_basis: verdict.basis,
    verdict_final: verdict.final,
    verdict_since: verdict.since,
    ...Object.fromEntries(Object.entries(pods).map(([outcome, number]) => [`pods_${outcome}`, number])),
  };
}
