import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import type { State } from "../state/states.ts";
import { millisOf } from "../text/instant-text.ts";

/** What the list shows of a Job. Ten thousand complete answers would take tens of megabytes. */
export interface JobListRow {
  readonly uid: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly owner: string | undefined;
  readonly state: State;
  readonly final: boolean;
  readonly reason: string | undefined;
  /** Why it is not running, or why it failed. */
  readonly cause: string | undefined;
  readonly succeeded: number;
  /** A work queue has none. */
  readonly completions: number | undefined;
  readonly createdAt: string;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly deleted: boolean;
  readonly findings: readonly FindingKind[];
  /** A list does not read the Pods of a large Job: the answer about the Job may have more findings and a cause. */
  readonly podsUnread: boolean;
  readonly incomplete: boolean;
  /** The cluster has been silent since then, and the Job may have changed. */
  readonly staleSince: string | undefined;
  /** The Job's last fact, in milliseconds. */
  readonly asOf: number;
  /** Everything that the text search covers, in lower case. */
  readonly words: string;
}

export function jobListRow(job: JobAnswer): JobListRow {
  const { cluster, namespace, name, owner, verdict, findings } = job;
  const cause = (job.waiting ?? job.cause)?.message;
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return {
    uid: job.uid,
    cluster,
    namespace,
    name,
    owner: owner?.name,
    state: verdict.state,
    final: verdict.final,
    reason: verdict.reason,
    cause,
    succeeded: job.status.succeeded ?? 0,
    completions: job.spec.completions,
    createdAt: job.createdAt,
    startedAt: millisOf(job.startedAt),
    finishedAt: millisOf(job.finishedAt),
    deleted: job.deletedAt !== undefined,
    findings: kinds,
    podsUnread: job.podsUnread === true,
    incomplete: job.completeness.level === "gaps",
    staleSince: job.completeness.level === "stale" ? job.completeness.heardAt : undefined,
    asOf: millisOf(job.asOf.time) ?? 0,
    words: [name, namespace, cluster, owner?.name, verdict.state, verdict.reason, cause, ...kinds]
      .join("\n")
      .toLowerCase(),
  };
}

/** The rows that contain every word of the text. */
export function rowsWithWords(rows: readonly JobListRow[], text: string): readonly JobListRow[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return wanted.length === 0 ? rows : rows.filter(({ words }) => wanted.every((word) => words.includes(word)));
}
