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
  /** `CronJob/nightly`, as the following two. */
  readonly owner: string | undefined;
  /** Absent for a Job on its own. */
  readonly run: string | undefined;
  readonly series: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: State;
  readonly final: boolean;
  readonly reason: string | undefined;
  /** Why it is not running, or why it failed. */
  readonly cause: string | undefined;
  readonly succeeded: number;
  /** A work queue has none. */
  readonly completions: number | undefined;
  readonly failedPods: number;
  readonly createdAt: string;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** When it will end: in half of the runs, and in nine of ten. Read only on request. */
  readonly expectedEnd: Expectation | undefined;
  /** What its Pods reserved. Read only on request, and only of a Job that is over. */
  readonly reserved: Reserved | undefined;
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

interface Expectation {
  readonly p50: number;
  readonly p90: number;
}

interface Reserved {
  readonly podSeconds: number;
  readonly keptPodSeconds: number;
  readonly coreSeconds: number | undefined;
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
    owner: owner && kindAndName(owner),
    run: job.run.uid === job.uid ? undefined : kindAndName(job.run),
    series: job.series && kindAndName(job.series),
    labels: job.labels,
    state: verdict.state,
    final: verdict.final,
    reason: verdict.reason,
    cause,
    succeeded: job.status.succeeded ?? 0,
    completions: job.spec.completions,
    failedPods: job.pods.failed,
    createdAt: job.createdAt,
    startedAt: millisOf(job.startedAt),
    finishedAt: millisOf(job.finishedAt),
    expectedEnd: expectedEnd(job),
    reserved: reserved(job),
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

function kindAndName({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`;
}

/** The time left counts from the answer, or from the last data of a silent cluster. */
function expectedEnd({ expected, completeness }: JobAnswer): Expectation | undefined {
  const left = expected?.remaining;
  if (left === undefined) return undefined;
  const from = millisOf(completeness.heardAt) ?? Date.now();
  return { p50: from + left.p50 * 1_000, p90: from + left.p90 * 1_000 };
}

function reserved({ usage }: JobAnswer): Reserved | undefined {
  if (usage === undefined) return undefined;
  const { podSeconds, resources } = usage;
  return { podSeconds: podSeconds.total, keptPodSeconds: podSeconds.kept, coreSeconds: resources["cpu"]?.total };
}

/** The rows that contain every word of the text. */
export function rowsWithWords(rows: readonly JobListRow[], text: string): readonly JobListRow[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return wanted.length === 0 ? rows : rows.filter(({ words }) => wanted.every((word) => words.includes(word)));
}
