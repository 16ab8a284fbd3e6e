import { byWhom } from "../attribution-text.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { count, sentence } from "../../job/text/sentence.ts";
import { currentJobs } from "../../parents/run/run-attempts.ts";
import type { RunJob } from "../../parents/run/run-job.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { RestartsUsed } from "../../parents/status/watched-status.ts";
import type { Clause } from "../headline/clause.ts";
import { lastKnown, lineOf } from "../headline/line-of.ts";
import { type DescribedRun, workloadsOf } from "./answer-run.ts";
import { earlierClauses, failureText, fullFailureText, jobNameIn, replacedClauses } from "./attempt-text.ts";
import { evictionClauses, isDeactivated, missingText, openWait } from "./queue-text.ts";
import type { RunAnswer } from "./run-document.ts";
import { firstFailureOf } from "./run-job-of.ts";

/** Why a run is in its state, in one line: the state, then what decided it, then what came before. */
export function runHeadline(run: DescribedRun): string {
  const [state, clauses] = [datedState(run), clausesOf(run)];
  const isQuiet = clauses.length === 0 && QUIET.has(run.answer.verdict.state);
  return isQuiet ? sentence(`${state}; no findings`) : lineOf(state, clauses, MAX_RUN_WORDS);
}

/** The most words of the line. A run has attempts and a queue, which a Job does not have. */
export const MAX_RUN_WORDS = 30;

/** Without a clause, these need no explanation. */
const QUIET: ReadonlySet<RunAnswer["verdict"]["state"]> = new Set(["Complete", "Running", "Pending"]);

function datedState(run: DescribedRun): string {
  const { completeness } = run.answer;
  const state = headlineState(run);
  return completeness.level === "stale" ? lastKnown(state, completeness.heardAt ?? "") : state;
}

function headlineState(run: DescribedRun): string {
  return HEADLINES[run.answer.verdict.state](run);
}

type Headlines = Readonly<Record<RunAnswer["verdict"]["state"], (run: DescribedRun) => string>>;

const HEADLINES: Headlines = {
  Failed: (run) => `Failed${reasonText(run)}: ${failedText(run) ?? doneText(run)}`,
  Queued: (run) => `Queued${queueName(run)}${sinceText(run)}${reasonText(run)}`,
  Deleted: (run) => `Deleted${deleterText(run)} before it finished: ${doneText(run)}`,
  Suspended: (run) => `Suspended${sinceText(run)}: ${doneText(run)}`,
  Running: (run) => `Running${inAttempt(run)}: ${doneText(run)}${runningText(run)}`,
  Complete: (run) => `Complete${inAttempt(run)}: ${doneText(run)}`,
  Pending: (run) => `Pending: ${doneText(run)}`,
  Unknown: (run) => `Unknown: ${doneText(run)}`,
};

function reasonText({ answer: { verdict } }: DescribedRun): string {
  return verdict.reason === undefined ? "" : ` (${verdict.reason})`;
}

function queueName({ answer: { queue } }: DescribedRun): string {
  return queue === undefined ? "" : ` in ${queue.name}`;
}

function sinceText({ answer: { verdict } }: DescribedRun): string {
  const { since } = verdict;
  return since === undefined ? "" : ` since ${since}`;
}

function inAttempt({ read: { derived } }: DescribedRun): string {
  const last = derived.attempts.at(-1);
  return last === undefined || last.number === 0 ? "" : ` in attempt ${last.number}`;
}

function lastJobs({ read: { derived } }: DescribedRun): readonly RunJob[] {
  return currentJobs(derived.attempts.at(-1));
}

function doneText(run: DescribedRun): string {
  const { pods } = run.read.own;
  const jobs = lastJobs(run);
  if (jobs.length === 0 && pods !== undefined) {
    const done = pods.attempts.filter(({ outcome }) => outcome === "Succeeded").length;
    return `${done} of ${count(pods.attempts.length, "Pod")} succeeded`;
  }
  if (jobs.length === 0) return "no Job or Pod of it was observed";
  return `${stateCount(jobs, "Complete")} of ${count(jobs.length, "Job")} complete`;
}

function runningText(run: DescribedRun): string {
  const running = stateCount(lastJobs(run), "Running");
  return running === 0 ? "" : `, ${running} running`;
}

function stateCount(jobs: readonly RunJob[], wanted: RunJob["state"]): number {
  return jobs.filter(({ state }) => state === wanted).length;
}

/** What decided a failure: "worker-1 exited with code 3 in the last attempt (2 of 2 restarts used)". */
function failedText(run: DescribedRun): string | undefined {
  const { identity, derived, own } = run.read;
  const failed = derived.attempts.at(-1)?.failed;
  if (failed === undefined) return failedPodText(run);
  const cause = own.jobs.get(failed.uid)?.cause;
  const who = jobNameIn(identity.name, failed);
  const where = derived.attempts.length > 1 ? " in the last attempt" : "";
  const restarts = restartsText(restartsOf(run), derived.attempts.length - 1);
  const [full, brief] = [fullFailureText(failed, cause), failureText(failed)].map(
    (how) => `${who} ${how}${where}${restarts}`,
  );
  return full !== undefined && full.split(" ").length <= MAX_FAILURE_WORDS ? full : brief;
}
const MAX_FAILURE_WORDS = 20;

function failedPodText({ read: { own } }: DescribedRun): string | undefined {
  const firstFailure = firstFailureOf(own.pods?.attempts ?? []);
  if (firstFailure === undefined) return undefined;
  return `Pod ${firstFailure.pod} ${fullFailureText({ firstFailure }, own.pods?.cause)}`;
}

function restartsOf({ read: { own } }: DescribedRun): RestartsUsed {
  const last = own.parents.get(own.uid)?.last;
  return (last && statusOf(last.of)?.restarts?.(last.fields)) ?? {};
}

/** How many restarts its limit allows, and how many it does not count. */
function restartsText({ used, limit }: RestartsUsed, restarts: number): string {
  if (used === undefined) return "";
  const free = Math.max(0, restarts - used);
  const beside = free === 0 ? [] : [`${count(free, "restart")} not counted`];
  const counted = limit === undefined || limit + used === 0 ? [] : [`${used} of ${count(limit, "restart")} used`];
  const parts = [...counted, ...beside];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** The clauses after the state, the most important first. */
function clausesOf(run: DescribedRun): readonly Clause[] {
  const { answer, read } = run;
  const { attempts } = read.derived;
  const before = [...earlierClauses(attempts), ...replacedClauses(read.identity.name, attempts.at(-1))];
  const evicted = evictionClauses(answer.queue);
  switch (answer.verdict.state) {
    case "Failed":
      return [...reasonClauses(run), ...disagreementClauses(run), ...before, ...evicted, ...deletionClauses(run)];
    case "Complete":
      return [...unfinishedClauses(run), ...before, ...podFailureClauses(run), ...evicted, ...deletionClauses(run)];
    case "Queued":
      return [...queuedClauses(run), ...evicted, ...before];
    case "Pending":
    case "Running":
    case "Suspended":
      return [...waitingClauses(run), ...missingClauses(run), ...ongoingClauses(run), ...before, ...evicted];
    case "Deleted":
    case "Unknown":
      return [...ongoingClauses(run), ...before, ...evicted];
  }
}

/** What the reason of an operator means, where the Jobs do not show it. */
function reasonClauses({ answer: { kind, verdict } }: DescribedRun): readonly Clause[] {
  const full = REASONS.get(`${kind}/${verdict.reason ?? ""}`);
  return full === undefined ? [] : [{ full }];
}

/** KubeRay 1.6 (apis/ray/v1/rayjob_types.go), Kubeflow Trainer 2. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["RayJob/AppFailed", "the entrypoint of its Ray job failed"],
  ["RayJob/SubmissionFailed", "it could not be submitted to Ray"],
  ["RayJob/DeadlineExceeded", "its deadline passed"],
  ["RayJob/PreRunningDeadlineExceeded", "it did not start before its deadline"],
  ["TrainJob/DeadlineExceeded", "its deadline passed"],
]);

/** The object reports a failure that its Jobs do not show. */
function disagreementClauses(run: DescribedRun): readonly Clause[] {
  const { answer, read } = run;
  if (answer.verdict.basis !== "reported" || read.derived.observed !== "Complete") return [];
  return [{ full: `${answer.kind} ${answer.name} reports a failure that none of its Jobs shows`, necessary: true }];
}

/** Jobs of a complete run that did not complete: a success policy may not need them. */
function unfinishedClauses(run: DescribedRun): readonly Clause[] {
  const jobs = lastJobs(run);
  const [failed, deleted] = [stateCount(jobs, "Failed"), stateCount(jobs, "Deleted")];
  return [
    ...(failed === 0 ? [] : [{ full: `${count(failed, "Job")} failed`, necessary: true }]),
    ...(deleted === 0
      ? []
      : [{ full: `${count(deleted, "Job")} ${deleted === 1 ? "was" : "were"} deleted unfinished` }]),
  ];
}

/** Pods of a complete run that failed. They were tried again, or were not needed. */
function podFailureClauses({ read: { own } }: DescribedRun): readonly Clause[] {
  const { attempts = [] } = own.pods ?? {};
  const failed = attempts.filter(({ outcome }) => outcome === "Failed").length;
  const firstFailure = firstFailureOf(attempts);
  if (failed === 0 || firstFailure === undefined) return [];
  const full = `${count(failed, "Pod")} failed before: the first ${failureText({ firstFailure })}`;
  return [{ full, brief: `${count(failed, "Pod")} failed before` }];
}

function queuedClauses({ answer: { queue }, read }: DescribedRun): readonly Clause[] {
  if (isDeactivated(queue)) return [{ full: "Kueue does not start it again until it is activated", necessary: true }];
  const message = queue && openWait(queue)?.message;
  const missing = missingText(workloadsOf(read.own).at(-1));
  return [message, missing].flatMap((full) => (full === undefined ? [] : [{ full, necessary: true }]));
}

function waitingClauses({ answer: { waiting } }: DescribedRun): readonly Clause[] {
  if (waiting === undefined) return [];
  const { job, message, since } = waiting;
  const who = job === undefined ? "waiting" : `${job} waits`;
  return [{ full: `${who} since ${since}: ${message}`, brief: `${who}: ${message}`, necessary: true }];
}

function missingClauses({ read }: DescribedRun): readonly Clause[] {
  const full = missingText(workloadsOf(read.own).at(-1));
  return full === undefined ? [] : [{ full }];
}

/** What has failed in an attempt that goes on, or that was cut short. */
function ongoingClauses({ read: { identity, derived, own } }: DescribedRun): readonly Clause[] {
  const failed = derived.attempts.at(-1)?.failed;
  if (failed === undefined) return [];
  const who = jobNameIn(identity.name, failed);
  const full = `${who} ${fullFailureText(failed, own.jobs.get(failed.uid)?.cause)}`;
  return [{ full, brief: `${who} ${failureText(failed)}` }];
}

function deletionClauses(run: DescribedRun): readonly Clause[] {
  const { deletedAt } = run.read.derived;
  return deletedAt === undefined ? [] : [{ full: `deleted at ${formatInstant(deletedAt)}${deleterText(run)}` }];
}

function deleterText({ answer: { deletedBy } }: DescribedRun): string {
  return deletedBy === undefined ? "" : ` ${byWhom(deletedBy)}`;
}
