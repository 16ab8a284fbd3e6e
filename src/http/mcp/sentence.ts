import type { Cause, Completeness, JobAnswer } from "../../explain/answer-document.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { RunState } from "../../job/model/states.ts";
import { count, list } from "../../job/text/sentence.ts";
import { plain } from "./marked.ts";
import { subjectText } from "./subject.ts";

/**
 * Sentences of states, numbers, times and names alone. They have no text of a cluster that could be an instruction: the
 * messages are beside them, below the mark `untrusted`.
 */
export function jobSentence(job: JobAnswer): string {
  const { verdict, spec, status, cause, waiting, deletedAt, completeness } = job;
  return joined([
    `${subjectText({ ...job, kind: "Job" })} ${stateText(verdict)}`,
    doneText(status.succeeded ?? 0, spec.completions),
    cause && causeText(cause),
    waiting && `${verdict.state === "Running" ? "Pods wait" : "waiting"} since ${waiting.since}: ${waiting.reason}`,
    findingsText(job.findings),
    deletedAt !== undefined && verdict.state !== "Deleted" ? `deleted at ${deletedAt}` : undefined,
    completenessText(completeness),
  ]);
}

function doneText(succeeded: number, wanted: number | undefined): string {
  if (wanted === undefined) return `${succeeded} succeeded`;
  return succeeded > wanted ? `${succeeded} succeeded, ${wanted} needed` : `${succeeded} of ${wanted} succeeded`;
}

export function runSentence(run: RunAnswer): string {
  const { verdict, jobs, attempts, cause, waiting, completeness } = run;
  const others = [`${jobs.failed} failed`, `${jobs.running} running`, `${jobs.waiting} waiting`].filter(
    (text) => !text.startsWith("0"),
  );
  return joined([
    `${subjectText(run)} ${stateText(verdict)}`,
    [`${jobs.complete} of ${count(jobs.total, "Job")} complete`, ...others].join(", "),
    attempts.length > 1 ? count(attempts.length, "attempt") : undefined,
    failureText(run),
    cause && causeText(cause),
    waiting && `waiting since ${waiting.since}: ${waiting.reason}`,
    findingsText(run.findings),
    completenessText(completeness),
  ]);
}

/** Joins clauses to one sentence. */
export function joined(clauses: readonly (string | undefined)[]): string {
  return `${clauses.filter((clause) => clause !== undefined).join("; ")}.`;
}

const STATES: Readonly<Record<RunState, string>> = {
  Pending: "is pending",
  Queued: "is queued",
  Running: "is running",
  Suspended: "is suspended",
  Complete: "is complete",
  Failed: "failed",
  Deleted: "was deleted before it finished",
  Unknown: "is in an unknown state: the facts do not show it",
};

export function stateText({
  state,
  reason,
  since,
}: {
  readonly state: RunState;
  readonly reason?: string;
  readonly since?: string;
}): string {
  const why = plain(reason) === undefined ? "" : ` (${reason})`;
  return `${STATES[state]}${why}${since === undefined ? "" : ` since ${since}`}`;
}

/** What happened, by category. */
const CATEGORIES: Readonly<Record<Cause["category"], string>> = {
  application: "the program failed",
  oom: "out of memory",
  eviction: "evicted",
  preemption: "preempted",
  "node-loss": "node lost",
  image: "image not pulled",
  configuration: "container not started",
  scheduling: "not scheduled",
  probe: "killed after a failed probe",
  deadline: "deadline passed",
  deleted: "deleted",
  unknown: "unknown cause",
};

function causeText({ category, attempts, responsible, retry }: Cause): string {
  const where = attempts === 0 ? "in restarted containers" : `in ${count(attempts, "attempt")}`;
  return `cause: ${CATEGORIES[category]} ${where} (responsible: ${responsible}, retry: ${retry})`;
}

/** The first failure of the last attempt that has one. */
function failureText({ attempts }: RunAnswer): string | undefined {
  const failure = attempts.findLast(({ firstFailure }) => firstFailure !== undefined)?.firstFailure;
  if (failure === undefined) return undefined;
  const { job, exitCode, category, at } = failure;
  const how = exitCode === undefined ? CATEGORIES[category] : `exit code ${exitCode}`;
  return `first failure ${plain(job) === undefined ? "" : `in Job ${job} `}at ${at}: ${how}`;
}

const MOST_FINDINGS = 3;

function findingsText(findings: readonly { readonly kind: string }[]): string | undefined {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return kinds.length === 0 ? undefined : `findings: ${list(kinds, MOST_FINDINGS)}`;
}

function completenessText({ level, heardAt }: Completeness): string | undefined {
  if (level === "gaps") return "observed in part (gaps)";
  return level === "stale" ? `no data from the cluster since ${heardAt ?? "long ago"}` : undefined;
}
