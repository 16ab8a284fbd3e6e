import { earliestOf, formatInstant, type Instant } from "../../job/model/instant.ts";
import type { DerivedRun } from "../../parents/run/derive-run.ts";
import type { RunAttempt } from "../../parents/run/run-attempts.ts";
import type { RunJob } from "../../parents/run/run-job.ts";
import type { RunQueue } from "../../parents/run/run-queue.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { Completeness, JobAnswer, QueueAnswer } from "../answer-document.ts";
import { waitText } from "./queue-text.ts";
import { firstFailureOf } from "./run-job-of.ts";
import { runFindings } from "./run-findings.ts";
import { waitingOf } from "./run-waiting.ts";
import type { RunAnswer, RunAttemptAnswer } from "./run-document.ts";
import type { PodsOfRun } from "./run-record.ts";

/** What an answer about a run is presented from. */
export interface PresentedRun {
  readonly cluster: string;
  readonly now: Instant;
  readonly identity: Pick<RunAnswer, "namespace" | "kind" | "name" | "uid" | "series">;
  readonly parent: ParentRecord | undefined;
  readonly derived: DerivedRun;
  readonly jobs: readonly RunJob[];
  /** The answers about those of its Jobs that may explain it. */
  readonly answers: ReadonlyMap<string, Pick<JobAnswer, "cause" | "externalIds" | "waiting">>;
  readonly completeness: Completeness;
  /** Its Pods that have no Job. */
  readonly pods?: PodsOfRun | undefined;
  readonly parents: ReadonlyMap<string, ParentRecord>;
}

/** At most this many Jobs of an attempt are shown. */
const MAX_JOBS = 100;

export function presentRun(run: PresentedRun): RunAnswer {
  const { cluster, now, identity, parent, derived, jobs, completeness } = run;
  const { verdict, attempts } = derived;
  return {
    cluster,
    ...identity,
    labels: parent?.first?.labels ?? {},
    externalIds: externalIdsOf(run),
    ...texts({
      createdAt: parent?.first?.createdAt ?? earliestOf(jobs.map((job) => job.createdAt)),
      startedAt: derived.startedAt,
      finishedAt: derived.finishedAt,
      deletedAt: derived.deletedAt,
    }),
    verdict: presentVerdict(verdict),
    attempts: attempts.map(presentAttempt),
    jobs: countJobs(jobs),
    ...explanationOf(run),
    findings: runFindings(run),
    completeness,
    asOf: { time: formatInstant(now) },
  };
}

/** What explains its state: what Kueue did, why it failed, what it waits for. */
function explanationOf(run: PresentedRun): Pick<RunAnswer, "queue" | "cause" | "waiting"> {
  const { verdict, attempts, queue: admission } = run.derived;
  const members = (attempts.at(-1)?.jobs ?? []).map((job) => [job, run.answers.get(job.uid)] as const);
  const queue = admission && presentQueue(admission, run.parents);
  const cause = causeOf(run);
  const waiting = waitingOf(verdict, queue, members);
  return {
    ...(queue !== undefined && { queue }),
    ...(cause !== undefined && { cause }),
    ...(waiting !== undefined && { waiting }),
  };
}

/** Ids that all of its Jobs agree on. */
function externalIdsOf({ answers, pods }: PresentedRun): RunAnswer["externalIds"] {
  if (pods !== undefined) return pods.externalIds;
  const all = [...answers.values()].map(({ externalIds }) => externalIds);
  const [first = {}] = all;
  return Object.fromEntries(Object.entries(first).filter(([id, value]) => all.every((ids) => ids[id] === value)));
}

function presentVerdict({ since, ...verdict }: DerivedRun["verdict"]): RunAnswer["verdict"] {
  return { ...verdict, ...texts({ since }) };
}

function presentAttempt({ number, startedAt, endedAt, state, failed, jobs }: RunAttempt): RunAttemptAnswer {
  return {
    number,
    ...texts({ startedAt, endedAt }),
    state,
    ...(failed !== undefined && { firstFailure: presentFailure(failed) }),
    jobs: jobs.slice(0, MAX_JOBS).map(({ name, uid, state: jobState, role }) => ({
      name,
      uid,
      state: jobState,
      ...(role !== undefined && { role }),
    })),
  };
}

function presentFailure({ name, uid, failedAt, firstFailure }: RunJob): RunAttemptAnswer["firstFailure"] & object {
  const { pod, exitCode, category = "unknown", at } = firstFailure ?? {};
  return {
    job: name,
    jobUid: uid,
    ...(pod !== undefined && { pod }),
    ...(exitCode !== undefined && { exitCode }),
    category,
    at: formatInstant(at ?? failedAt ?? 0),
  };
}

/** What Kueue did. A preemptor has a name if its Workload was observed. */
export function presentQueue(queue: RunQueue, parents: ReadonlyMap<string, ParentRecord>): QueueAnswer {
  const { name, clusterQueue, waits, admittedAt, evictions } = queue;
  return {
    name,
    ...(clusterQueue !== undefined && { clusterQueue }),
    waits: waits.map(presentWait),
    admittedAt: admittedAt.map(formatInstant),
    evictions: evictions.map(({ at, reason, by }) => ({
      at: formatInstant(at),
      reason,
      ...(by !== undefined && { by: preemptorOf(by, parents) }),
    })),
  };
}

function presentWait({ from, to, reason, details }: RunQueue["waits"][number]): QueueAnswer["waits"][number] {
  const message = waitText(details);
  return { from: formatInstant(from), ...texts({ to }), reason, ...(message !== undefined && { message }) };
}

type Preemptor = NonNullable<QueueAnswer["evictions"][number]["by"]>;

function preemptorOf(
  { workloadUid, ownerUid }: NonNullable<RunQueue["evictions"][number]["by"]>,
  parents: ReadonlyMap<string, ParentRecord>,
): Preemptor {
  const workload = parents.get(workloadUid)?.first;
  const owner = workload?.owner;
  if (workload === undefined || owner === undefined) return { kind: "Workload", uid: workloadUid };
  return { kind: owner.kind, namespace: workload.namespace, name: owner.name, uid: ownerUid ?? owner.uid };
}

function countJobs(jobs: readonly RunJob[]): RunAnswer["jobs"] {
  const counts = { total: jobs.length, complete: 0, failed: 0, running: 0, waiting: 0, deleted: 0, unknown: 0 };
  for (const { state } of jobs) counts[COUNTED_AS[state]] += 1;
  return counts;
}

const COUNTED_AS = {
  Complete: "complete",
  Failed: "failed",
  Running: "running",
  Pending: "waiting",
  Suspended: "waiting",
  Deleted: "deleted",
  Unknown: "unknown",
} as const satisfies Record<RunJob["state"], keyof RunAnswer["jobs"]>;

/** Why it failed: the cause of the Job that failed first in its last attempt, or of its Pods. */
function causeOf({ derived, answers, pods }: PresentedRun): RunAnswer["cause"] {
  if (derived.verdict.state !== "Failed") return undefined;
  if (pods?.cause !== undefined) return causeOfPods(pods.cause, pods);
  const failed = derived.attempts.at(-1)?.failed;
  return failed === undefined ? undefined : causeOfJob(failed, answers.get(failed.uid)?.cause);
}

function causeOfJob({ name, firstFailure }: RunJob, cause: JobAnswer["cause"]): RunAnswer["cause"] {
  return cause && { ...cause, job: name, ...(firstFailure !== undefined && { pod: firstFailure.pod }) };
}

/** Of a run without Jobs: the first Pod that failed by itself. */
function causeOfPods(cause: NonNullable<JobAnswer["cause"]>, { attempts }: PodsOfRun): RunAnswer["cause"] {
  const first = firstFailureOf(attempts);
  return { ...cause, ...(first !== undefined && { pod: first.pod }) };
}

function texts<Names extends string>(
  instants: Readonly<Record<Names, Instant | undefined>>,
): { readonly [Name in Names]?: string } {
  const known = Object.entries<Instant | undefined>(instants).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, formatInstant(at)] as const],
  );
  return Object.fromEntries(known) as { readonly [Name in Names]?: string };
}
