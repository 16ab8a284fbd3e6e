import { list } from "../../job/text/sentence.ts";
import { durationText } from "../../job/text/duration-text.ts";
import type { RunAttempt } from "../../parents/run/run-attempts.ts";
import { byTry, type RunJob, workOfJob } from "../../parents/run/run-job.ts";
import type { Category } from "../../job/attribution/category.ts";
import type { Cause } from "../answer-document.ts";
import type { Clause } from "../headline/clause.ts";
import type { RunMember } from "./run-record.ts";

/** What is known of the Jobs of a run, by uid. */
export type Members = ReadonlyMap<string, Pick<RunMember, "cause">>;

/** How a Job failed, as a clause without its subject: "exited with code 3", "lost node-a". */
export function failureText({ firstFailure }: Pick<RunJob, "firstFailure">, was: "was" | "were" = "was"): string {
  const { category = "unknown", exitCode, node } = firstFailure ?? {};
  if (category === "node-loss") return `lost ${node ?? "its node"}`;
  if (EXITED.has(category) && exitCode !== undefined) return `exited with code ${exitCode}`;
  const how = FAILED[category];
  return typeof how === "string" ? how : `${was} ${how.was}`;
}

/** For these, the exit code is what the program decided. */
const EXITED: ReadonlySet<Category> = new Set(["application", "unknown"]);

const FAILED = {
  application: "failed",
  oom: { was: "OOMKilled" },
  eviction: { was: "evicted" },
  preemption: { was: "preempted" },
  "node-loss": "lost its node",
  image: "could not pull its image",
  configuration: "could not start",
  deadline: "reached its deadline",
  deleted: { was: "deleted" },
  probe: { was: "killed after a failed probe" },
  scheduling: { was: "never scheduled" },
  unknown: "failed",
} as const satisfies Record<Category, string | { readonly was: string }>;

/** The same with the Job's cause: "failed: OOMKilled: container work exceeded its memory limit (32Mi)". */
export function fullFailureText(job: Pick<RunJob, "firstFailure">, cause: Cause | undefined): string {
  const text = failureText(job);
  const isExit = EXITED.has(job.firstFailure?.category ?? cause?.category ?? "unknown");
  if (cause === undefined || (isExit && job.firstFailure?.exitCode !== undefined)) return text;
  return `failed: ${cause.message}`;
}

/** The name of a Job within its run: `worker-1` of `train-worker-1`. A submitter or launcher has the run's own name. */
export function jobNameIn(
  run: string,
  { name, role, isLauncher }: Pick<RunJob, "name" | "role" | "isLauncher">,
): string {
  if (isLauncher === true && role !== undefined) return `its ${role}`;
  return name.startsWith(`${run}-`) ? name.slice(run.length + 1) : name;
}

/** Why the attempts before the last one ended: "attempt 0 lost node-a, attempt 1 exited with code 3". */
export function earlierClauses(attempts: readonly RunAttempt[]): readonly Clause[] {
  const ended = attempts.slice(0, -1);
  const groups = [...Map.groupBy(ended, (attempt) => endText(attempt)).values()];
  if (groups.length === 0) return [];
  const texts = groups.map((all) => `${numbersText(all.map(({ number }) => number))} ${endText(all[0], all.length)}`);
  const brief = `${ended.length === 1 ? "an attempt" : `${ended.length} attempts`} failed before`;
  return [{ full: list(texts, 3).replaceAll(" and attempt", ", attempt"), brief }];
}

function numbersText(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? "attempt" : "attempts"} ${list(numbers.map(String), 3)}`;
}

function endText(attempt: RunAttempt | undefined, attempts = 1): string {
  const was = attempts === 1 ? "was" : "were";
  if (attempt?.failed !== undefined) return failureText(attempt.failed, was);
  if (attempt?.state === "Unknown") return "ended for an unknown reason";
  return attempt?.state === "Failed" ? "failed" : `${was} interrupted`;
}

/** What each attempt before the last one cost, in sentences. */
export function attemptSentences(run: string, attempts: readonly RunAttempt[], members: Members): readonly string[] {
  return attempts.slice(0, -1).map((attempt) => attemptSentence(run, attempt, members));
}

function attemptSentence(run: string, attempt: RunAttempt, members: Members): string {
  const { number, startedAt, endedAt, failed, jobs } = attempt;
  const spent = startedAt === undefined || endedAt === undefined ? "" : ` after ${durationText(endedAt - startedAt)}`;
  const why =
    failed === undefined
      ? "no failed Pod was observed"
      : `${jobNameIn(run, failed)} ${fullFailureText(failed, members.get(failed.uid)?.cause)}`;
  const done = jobs.filter(({ state }) => state === "Complete").length;
  return `attempt ${number} ended${spent}: ${why}${lostText(jobs.length, done)}`;
}

/** What was thrown away, as the end of a sentence. */
function lostText(jobs: number, done: number): string {
  if (jobs === 0) return "";
  if (jobs === 1) return `; its Job was ${done === 1 ? "complete, and was " : ""}started again`;
  const complete = done === 0 ? "" : `, ${done} of which ${done === 1 ? "was" : "were"} complete`;
  return `; its ${jobs} Jobs were started again${complete}`;
}

/** Jobs that took the place of one that did the same work, within one attempt. */
export function replacedClauses(run: string, attempt: RunAttempt | undefined): readonly Clause[] {
  const byWork = Map.groupBy((attempt?.jobs ?? []).toSorted(byTry), workOfJob);
  const replaced = [...byWork.values()].filter((same) => same.length > 1).map((same) => same.slice(0, -1));
  return replaced.slice(0, MAX_REPLACED).map((former) => {
    const [first, ...others] = former;
    if (first === undefined) return { full: "" };
    const times = others.length === 0 ? "" : ` ${former.length} times`;
    const after = first.firstFailure === undefined ? "it was deleted" : `it ${failureText(first)}`;
    return {
      full: `${jobNameIn(run, first)} was created again${times} after ${after}`,
      brief: `${jobNameIn(run, first)} was created again${times}`,
    };
  });
}
const MAX_REPLACED = 3;
