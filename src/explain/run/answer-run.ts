import type { ClusterContext } from "../../job/model/cluster-context.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { Owner } from "../../job/model/fact.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { count } from "../../job/text/sentence.ts";
import type { State } from "../../job/model/states.ts";
import { isSeries } from "../../parents/kinds.ts";
import { type DerivedRun, deriveRun, ownersAbove, type RunPodState } from "../../parents/run/derive-run.ts";
import { attributeRunDeletion } from "../../parents/run/run-deletion.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { Attempt, Completeness } from "../answer-document.ts";
import { presentAttribution } from "../explain-deletion.ts";
import { presentRun as nameRun } from "../present-lineage.ts";
import { presentUsage } from "../usage/present-usage.ts";
import { presentRun } from "./present-run.ts";
import type { RunAnswer } from "./run-document.ts";
import { commonLabels, MAX_RUN_JOBS, mayLackJobs, ownRecord, type RunRecord, usageOfRun } from "./run-record.ts";

/** What a run is derived and named from. */
export interface ReadRun {
  readonly identity: Pick<RunAnswer, "namespace" | "kind" | "name" | "uid" | "series">;
  /** The outermost object that was observed. */
  readonly parent: ParentRecord | undefined;
  readonly derived: DerivedRun;
  /** The record without what is in other namespaces. */
  readonly own: RunRecord;
}

export interface RunAnswerOptions {
  readonly cluster: string;
  readonly now: Instant;
  /** Workloads of other runs, which name what preempted this one. @default none */
  readonly others?: ReadonlyMap<string, ParentRecord>;
  /** Those about its object, which name who deleted it. @default none */
  readonly hints?: ClusterContext["hints"];
}

/** A run with its answer. */
export interface DescribedRun {
  readonly read: ReadRun;
  readonly answer: RunAnswer;
}

/** The answer about a stored run; `undefined` if nothing names it, or it is a Job on its own. */
export function answerRun(record: RunRecord, options: RunAnswerOptions): RunAnswer | undefined {
  return describeRun(record, options)?.answer;
}

/** The answer with what it is derived from, which its explanation needs. */
export function describeRun(
  record: RunRecord,
  { cluster, now, others = new Map(), hints = new Map() }: RunAnswerOptions,
): DescribedRun | undefined {
  const read = readRun(record);
  if (read === undefined) return undefined;
  const { identity, parent, derived, own } = read;
  const answers = own.jobs;
  const jobs = [...answers.values()].map(({ job }) => job);
  const completeness = completenessOf(own);
  const parents = new Map([...others, ...own.parents]);
  const { pods } = own;
  const run = presentRun({ cluster, now, identity, parent, derived, jobs, answers, completeness, parents, pods });
  const deletedBy = parent && attributeRunDeletion(parent, { hints });
  // A Job that is left out may show what a finding says that none does.
  const lacking = mayLackJobs(own) ? { jobs: { ...run.jobs, atLeast: true }, findings: [] } : {};
  const usage = usageOfRun(own);
  const answer = {
    ...run,
    ...lacking,
    labels: { ...commonLabels(own), ...run.labels },
    ...(usage !== undefined && { usage: presentUsage(usage) }),
  };
  return { read, answer: deletedBy === undefined ? answer : { ...answer, deletedBy: presentAttribution(deletedBy) } };
}

/** A run is as complete as the worst of its Jobs, whose answers have the gaps. One that lacks Jobs has gaps. */
function completenessOf(own: RunRecord): Completeness {
  const { level, gaps } = completenessOfParts(own);
  if (!mayLackJobs(own)) return { level, gaps };
  const reason = `This is derived from ${MAX_RUN_JOBS} Jobs, the first by uid. Others are not stored with it.`;
  return { level: worse(level, "gaps"), gaps: [{ resources: ["jobs"], reason }, ...gaps] };
}

function completenessOfParts({ jobs, pods }: RunRecord): Completeness {
  const levels = [...jobs.values()].map(({ level }) => level);
  const level = [...levels, pods?.level ?? "complete"].reduce<Completeness["level"]>(worse, "complete");
  const inPart = levels.filter((of) => of !== "complete").length;
  if (inPart === 0) return { level, gaps: [] };
  const reason = `${inPart} of ${count(levels.length, "Job")} ${inPart === 1 ? "was" : "were"} observed in part.`;
  return { level, gaps: [{ resources: ["jobs", "pods"], reason }] };
}

/** A TrainJob is no run by itself: the record of the JobSet that starts its Jobs is the run, and names it. */
function isOfStarter({ uid, parents, jobs }: RunRecord): boolean {
  const { of } = parents.get(uid)?.first ?? {};
  return jobs.size === 0 && of !== undefined && statusOf(of)?.startsJobsBy !== undefined;
}

export function readRun(stored: RunRecord): ReadRun | undefined {
  if (isOfStarter(stored)) return undefined;
  const record = ownRecord(stored);
  const { uid, parents, jobs } = record;
  const identity = identityOf(record);
  if (identity === undefined) return undefined;
  const controller = parents.get(uid);
  const parent = parents.get(identity.uid ?? "") ?? outermost(record) ?? controller;
  const derived = deriveRun({
    parent,
    controller,
    workloads: workloadsOf(record),
    jobs: [...jobs.values()].map(({ job }) => job),
    pods: record.pods?.attempts.map(podStateOf),
  });
  return { identity, parent, derived, own: record };
}

/** The outermost object above the one that starts the Jobs, of those that were observed. */
function outermost(record: RunRecord): ParentRecord | undefined {
  return ownersAboveRun(record)
    .map(({ uid }) => record.parents.get(uid))
    .findLast((above) => above !== undefined);
}

function podStateOf({ outcome, startedAt }: Attempt): RunPodState {
  const started = parseInstant(startedAt);
  return { state: STATES[outcome], ...(started !== undefined && { startedAt: started }) };
}

const STATES = {
  Succeeded: "Complete",
  Failed: "Failed",
  Active: "Running",
  Terminating: "Running",
  Unknown: "Unknown",
} as const satisfies Record<Attempt["outcome"], State>;

/** What a run is called; `undefined` if nothing names it, or it is a Job on its own. */
export function identityOf(record: RunRecord): ReadRun["identity"] | undefined {
  const namespace = namespaceOf(record);
  const owners = ownersOf(record).map((owner) => withUid(owner, record.parents));
  const outermost = owners.findLast(({ kind }) => !isSeries(kind));
  if (namespace === undefined || outermost === undefined) return undefined;
  const series = seriesOf(record, owners);
  return { namespace, ...nameRun(outermost, undefined), ...(series !== undefined && { series }) };
}

/** The latest instant that is known of a run. */
export function seenAtOf({ parents, jobs }: RunRecord): Instant {
  const ofParents = [...parents.values()].flatMap(({ last, deleted }) => [last?.at, deleted?.at]);
  const ofJobs = [...jobs.values()].flatMap(({ job, endedAt }) => [
    job.createdAt,
    job.startedAt,
    job.failedAt,
    endedAt,
  ]);
  return [...ofParents, ...ofJobs].reduce<Instant>((latest, at = 0) => Math.max(latest, at), 0);
}

/** What Kueue admits with it, by creation. */
export function workloadsOf({ parents }: RunRecord): readonly ParentRecord[] {
  return [...parents.values()]
    .filter(({ first }) => first?.of === "Workload")
    .sort((a, b) => (a.first?.createdAt ?? 0) - (b.first?.createdAt ?? 0) || compareText(a.uid, b.uid));
}

/** An object that a run belongs to. */
interface RunOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
}

/** The object itself and those above it. What was observed has precedence over what its Jobs say. */
function ownersOf(record: RunRecord): readonly RunOwner[] {
  const { uid, parents, jobs, pods } = record;
  const [member] = jobs.values();
  const first = parents.get(uid)?.first;
  const named = member?.owners ?? [];
  if (first === undefined && named.length === 0) return [member?.named ?? pods?.of].filter((of) => of !== undefined);
  if (first === undefined) return named;
  const above = ownersAbove(first.owner, parents);
  const known = new Set([first.of, ...above.map(({ kind }) => kind)]);
  const self = { kind: first.of, name: first.name, uid };
  return [self, ...named.filter(({ kind, uid: of }) => of !== uid && !known.has(kind)), ...above];
}

/** A label has only the name of an owner that was observed. */
function withUid(owner: RunOwner, parents: RunRecord["parents"]): RunOwner {
  if (owner.uid !== undefined) return owner;
  const observed = [...parents.values()].find(({ first }) => first?.of === owner.kind && first.name === owner.name);
  return observed === undefined ? owner : { ...owner, uid: observed.uid };
}

/** What owns the object that starts the Jobs, nearest first. */
export function ownersAboveRun({ uid, parents }: RunRecord): readonly Owner[] {
  return ownersAbove(parents.get(uid)?.first?.owner, parents);
}

function namespaceOf({ uid, parents, jobs, pods }: RunRecord): string | undefined {
  const [member] = jobs.values();
  return (parents.get(uid)?.first ?? member ?? pods?.of)?.namespace;
}

function seriesOf(record: RunRecord, owners: readonly RunOwner[]): RunAnswer["series"] {
  const [member] = record.jobs.values();
  if (member?.series !== undefined) return member.series;
  const series = owners.find(({ kind }) => isSeries(kind));
  return series === undefined ? record.pods?.of.series : nameRun(series, undefined);
}

const LEVELS: readonly Completeness["level"][] = ["complete", "reconciled", "gaps", "stale"];

/** The less complete one of two levels. */
export function worse(a: Completeness["level"], b: Completeness["level"]): Completeness["level"] {
  return LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b;
}
