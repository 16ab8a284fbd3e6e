import type { Owner } from "../../job/model/fact.ts";
import { earliestOf, type Instant } from "../../job/model/instant.ts";
import type { ParentRecord } from "../status/parent-record.ts";
import { statusOf } from "../status/statuses.ts";
import type { ReportedState } from "../status/watched-status.ts";
import { attemptsOf, currentJobs, type RunAttempt, type RunEnd } from "./run-attempts.ts";
import { byCreation, type RunJob } from "./run-job.ts";
import { queueOf, type RunQueue } from "./run-queue.ts";
import type { RunState } from "../../job/model/states.ts";

/** What a run is derived from. */
export interface RunSource {
  /** The outermost object, which was submitted, if it was observed. */
  readonly parent?: ParentRecord | undefined;
  /** What starts its Jobs, if that is another object than `parent`. */
  readonly controller?: ParentRecord | undefined;
  /** The Workloads of Kueue that admit it, by creation. */
  readonly workloads?: readonly ParentRecord[] | undefined;
  readonly jobs: readonly RunJob[];
  /** Its Pods that have no Job. */
  readonly pods?: readonly RunPodState[] | undefined;
}

/** A Pod without a Job, as far as a run needs it. */
export type RunPodState = Pick<RunJob, "state" | "startedAt" | "hasStarted">;

export interface DerivedRun {
  readonly verdict: RunVerdict;
  /** What its last Jobs and its Pods show. */
  readonly observed: RunVerdict["state"];
  readonly attempts: readonly RunAttempt[];
  readonly queue?: RunQueue;
  readonly startedAt?: Instant;
  readonly finishedAt?: Instant;
  readonly deletedAt?: Instant;
}

export interface RunVerdict {
  readonly state: RunState;
  readonly reason?: string;
  /** The parent was observed, and it has ended or was deleted. Without one, its launcher has ended. */
  readonly final: boolean;
  readonly basis: "reported" | "observed" | "both";
  readonly since?: Instant;
}

export function deriveRun(source: RunSource): DerivedRun {
  const { parent, controller = parent, workloads = [], jobs, pods = [] } = source;
  const queue = queueOf(workloads);
  const end = endOf(source);
  const attempts = attemptsOf(controller, jobs, end);
  const startedAt = earliestOf([...jobs, ...pods].map((part) => part.startedAt));
  return {
    verdict: verdictOf(source, { end, attempts, queue }),
    observed: observedState([...currentJobs(attempts.at(-1)), ...pods]),
    attempts,
    ...(queue !== undefined && { queue }),
    ...(startedAt !== undefined && { startedAt }),
    ...finishOf(end),
    ...(parent?.deleted !== undefined && { deletedAt: parent.deleted.at }),
  };
}

function finishOf(end: RunEnd | undefined): Pick<DerivedRun, "finishedAt"> {
  return end === undefined || end.state === "Deleted" || end.at === undefined ? {} : { finishedAt: end.at };
}

/** The end that the parent reports, otherwise its deletion. If no parent was observed, that of its last launcher. */
function endOf({ parent, jobs }: RunSource): RunEnd | undefined {
  if (parent === undefined) return endOfLauncher(jobs);
  const reported = reportedState(parent);
  if (reported?.state === "Complete" || reported?.state === "Failed") {
    return { state: reported.state, ...(reported.since !== undefined && { at: reported.since }) };
  }
  return parent.deleted === undefined ? undefined : { state: "Deleted", at: parent.deleted.at };
}

/** What is known by other Jobs alone may gain a Job tomorrow. */
function endOfLauncher(jobs: readonly RunJob[]): RunEnd | undefined {
  const last = jobs.filter(({ isLauncher }) => isLauncher === true).reduce<RunJob | undefined>(later, undefined);
  if (last?.finishedAt === undefined || (last.state !== "Complete" && last.state !== "Failed")) return undefined;
  return { state: last.state, at: last.finishedAt };
}

function later(a: RunJob | undefined, b: RunJob): RunJob {
  return a === undefined || byCreation(a, b) < 0 ? b : a;
}

function reportedState(parent: ParentRecord | undefined): ReportedState | undefined {
  if (parent?.last === undefined) return undefined;
  return statusOf(parent.last.of)?.state(parent.last);
}

interface Derived {
  readonly end: RunEnd | undefined;
  readonly attempts: readonly RunAttempt[];
  readonly queue: RunQueue | undefined;
}

function verdictOf(source: RunSource, { end, attempts, queue }: Derived): RunVerdict {
  const jobs = [...currentJobs(attempts.at(-1)), ...(source.pods ?? [])];
  if (end !== undefined && source.parent === undefined) {
    return { state: end.state, final: true, basis: "observed", ...(end.at !== undefined && { since: end.at }) };
  }
  if (end !== undefined) return finalVerdict(end, { jobs, reason: reportedState(source.parent)?.reason });
  if (source.parent?.last === undefined) return { state: observedState(jobs), final: false, basis: "observed" };
  return openVerdict(jobs, queue, reportedState(source.parent));
}

function openVerdict(
  jobs: readonly RunPodState[],
  queue: RunQueue | undefined,
  reported: ReportedState | undefined,
): RunVerdict {
  const wait = queue?.waits.at(-1);
  if (wait !== undefined && wait.to === undefined) {
    return { state: "Queued", reason: wait.reason, final: false, basis: "reported", since: wait.from };
  }
  if (reported?.state === "Suspended") return { state: "Suspended", final: false, basis: "reported" };
  const hasStarted = jobs.some((job) => job.startedAt !== undefined || job.hasStarted === true);
  const basis = jobs.length === 0 ? "reported" : "both";
  return { state: hasStarted ? "Running" : "Pending", final: false, basis };
}

function finalVerdict(
  { state, at }: RunEnd,
  { jobs, reason }: { readonly jobs: readonly RunPodState[]; readonly reason: string | undefined },
): RunVerdict {
  const since = at === undefined ? {} : { since: at };
  if (state === "Deleted") return { state, final: true, basis: "reported", ...since };
  const basis = showsAs(state, jobs) ? "both" : "reported";
  return { state, ...(reason !== undefined && { reason }), final: true, basis, ...since };
}

function showsAs(state: "Complete" | "Failed", jobs: readonly RunPodState[]): boolean {
  if (state === "Failed") return jobs.some((job) => job.state === "Failed" || "firstFailure" in job);
  return jobs.length > 0 && jobs.every((job) => job.state === "Complete");
}

/** By its Jobs alone: it may gain another one. */
function observedState(jobs: readonly RunPodState[]): RunVerdict["state"] {
  if (jobs.some(({ state }) => state === "Running" || state === "Pending")) return "Running";
  if (jobs.some(({ state }) => state === "Suspended")) return "Suspended";
  if (jobs.some(({ state }) => state === "Failed")) return "Failed";
  if (jobs.length > 0 && jobs.every(({ state }) => state === "Complete")) return "Complete";
  return "Unknown";
}

/** The owners above an object, nearest first, as far as they were observed, each once: facts could claim a cycle. */
export function ownersAbove(owner: Owner | undefined, parents: ReadonlyMap<string, ParentRecord>): readonly Owner[] {
  const above = new Map<string, Owner>();
  for (let next = owner; next !== undefined && above.size < MAX_DEPTH; next = parents.get(next.uid)?.first?.owner) {
    if (above.has(next.uid)) break;
    above.set(next.uid, next);
  }
  return [...above.values()];
}

/** Chains of owners are short. */
const MAX_DEPTH = 8;
