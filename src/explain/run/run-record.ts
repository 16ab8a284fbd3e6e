import { compareText } from "../../job/model/compare-text.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { RunFact } from "../../job/model/fact.ts";
import { sumOfUsage, type Usage } from "../../job/usage/usage.ts";
import { byCreation, type RunJob } from "../../parents/run/run-job.ts";
import type { NamedRun } from "../../parents/run/run-uid.ts";
import { emptyParent, joinParentFact, type ParentRecord } from "../../parents/status/parent-record.ts";
import type { Attempt, Completeness, JobAnswer, Waiting } from "../answer-document.ts";
import type { RunAnswer } from "./run-document.ts";

/** What is known about a run: the join of the facts about its objects, and what each of its Jobs shows. */
export interface RunRecord {
  /** That of the object that starts its Jobs, or of a Job on its own that Kueue admits. */
  readonly uid: string;
  /** The object, its Workloads, and the object above it, by uid. */
  readonly parents: ReadonlyMap<string, ParentRecord>;
  /** By uid; at most {@link MAX_RUN_JOBS}. */
  readonly jobs: ReadonlyMap<string, RunMember>;
  /** Whether it was stored, so that it has no more than {@link MAX_RUN_JOBS} Jobs. @default it has all */
  readonly isStored?: true;
  /** Its Pods that have no Job. Only a recording has them. */
  readonly pods?: PodsOfRun;
}

/** What the Pods of a run without Jobs show. */
export interface PodsOfRun extends Pick<JobAnswer, "cause" | "externalIds"> {
  /** What they say that they belong to. */
  readonly of: NamedRun & Pick<RunAnswer, "namespace" | "uid" | "series">;
  readonly attempts: readonly Attempt[];
  readonly level: Completeness["level"];
  /** Absent if it is not known. */
  readonly usage?: Usage;
}

/** One Job of a run, as its run shows it. */
export interface RunMember extends Pick<JobAnswer, "namespace" | "owners" | "series" | "externalIds" | "cause"> {
  readonly job: RunJob;
  /** Why it does not start, unless its run says that. */
  readonly waiting?: Waiting;
  readonly level: Completeness["level"];
  /** Without those of Kubernetes and its controllers. With the annotations for Outlive. */
  readonly labels: JobAnswer["labels"];
  /** What its run is called, if only names say so. */
  readonly named?: NamedRun;
  /** Absent while it may still change. */
  readonly endedAt?: Instant;
  /** Absent if it is not known. Of a stored run, also while a Pod of the Job reserves something. */
  readonly usage?: Usage;
}

/** The most Jobs of a run that are kept, the first by uid. A stored run has at most 300 KB. */
export const MAX_RUN_JOBS = 2_000;

/** Whether Jobs may be left out. */
export function mayLackJobs({ isStored, jobs }: RunRecord): boolean {
  return isStored === true && jobs.size >= MAX_RUN_JOBS;
}

export function emptyRun(uid: string): RunRecord {
  return { uid, parents: new Map(), jobs: new Map() };
}

/** Keys below these domains belong to Kubernetes and its controllers (Kubernetes, "Labels and Selectors"). */
const RESERVED = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

/** The labels that people and their tools have set. */
export function ownLabels(labels: JobAnswer["labels"]): JobAnswer["labels"] {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.test(key.split("/", 1)[0] ?? "")));
}

/** The labels that all Jobs of a run have. */
export function commonLabels({ jobs }: RunRecord): JobAnswer["labels"] {
  const [first, ...others] = [...jobs.values()].map(({ labels }) => labels);
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(([key, value]) => others.every((of) => of[key] === value)),
  );
}

/**
 * What the Pods of a run reserved. `undefined` if that of a Job is not known, and without Jobs and Pods: none may have
 * been observed.
 */
export function usageOfRun({ jobs, pods }: RunRecord): Usage | undefined {
  const parts = [...jobs.values(), pods].filter((part) => part !== undefined).map(({ usage }) => usage);
  const known = parts.filter((usage) => usage !== undefined);
  return parts.length === 0 || known.length < parts.length ? undefined : sumOfUsage(known);
}

/** The names of its Jobs, each once: attempts repeat them. */
export function jobNamesOf({ jobs }: Pick<RunRecord, "jobs">): readonly string[] {
  return [...new Set([...jobs.values()].map(({ job }) => job.name))].sort();
}

/**
 * The record without what is in another namespace than the run. An owner is always in the namespace of what it owns, so
 * a Job elsewhere that claims to belong to the run does not.
 */
export function ownRecord(record: RunRecord): RunRecord {
  const { uid, parents, jobs } = record;
  const namespace = parents.get(uid)?.first?.namespace ?? namespaceOfEarliest(jobs);
  if (namespace === undefined) return record;
  return {
    ...record,
    parents: new Map([...parents].filter(([, { first }]) => (first?.namespace ?? namespace) === namespace)),
    jobs: new Map([...jobs].filter(([, member]) => member.namespace === namespace)),
  };
}

function namespaceOfEarliest(jobs: RunRecord["jobs"]): string | undefined {
  const [earliest] = [...jobs.values()].sort((a, b) => byCreation(a.job, b.job));
  return earliest?.namespace;
}

/** Commutative, associative and idempotent. */
export function joinRunFacts(record: RunRecord, facts: Iterable<RunFact>): RunRecord {
  const parents = new Map(record.parents);
  for (const fact of facts) {
    parents.set(fact.uid, joinParentFact(parents.get(fact.uid) ?? emptyParent(fact.uid), fact));
  }
  return { ...record, parents };
}

/** With what a Job shows now; without the Job if it is no longer stored. */
export function withMember(record: RunRecord, uid: string, member: RunMember | undefined): RunRecord {
  const jobs = new Map(record.jobs);
  if (member === undefined) jobs.delete(uid);
  else jobs.set(uid, member);
  const joined = { ...record, jobs };
  return jobs.size <= MAX_RUN_JOBS ? joined : { ...joined, jobs: firstOf(joined) };
}

/** Jobs of other namespaces, which only claim to belong to the run, never take the place of its own. */
function firstOf(record: RunRecord): ReadonlyMap<string, RunMember> {
  const own = ownRecord(record).jobs;
  const rank = (uid: string): number => (own.has(uid) ? 0 : 1);
  const sorted = [...record.jobs].sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b));
  return new Map(sorted.slice(0, MAX_RUN_JOBS));
}
