import { isRunNamed, isWorkNamed } from "../../parents/run/run-names.ts";
import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { type FieldSelector, matchesFields } from "./field-selector.ts";
import { type LabelSelector, matchesLabels } from "./label-selector.ts";
import { mayRead, type Scope } from "../access/scope.ts";

/** Selects Jobs. An absent field matches every Job. Time bounds are exclusive. */
export interface JobFilter {
  readonly cluster?: ClusterName | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly states?: readonly State[] | undefined;
  readonly labels?: LabelSelector | undefined;
  readonly fields?: FieldSelector | undefined;
  /** `Kind/name`, name or uid of one of its owners. */
  readonly owner?: string | undefined;
  /** `Kind/name`, name or uid of the run that it is part of. */
  readonly run?: string | undefined;
  /** The runs that `run` means. @default those that had the name, by what each Job says itself */
  readonly runsFound?: readonly RunFound[] | undefined;
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  readonly startedAfter?: Instant | undefined;
  readonly startedBefore?: Instant | undefined;
  readonly finishedAfter?: Instant | undefined;
  readonly finishedBefore?: Instant | undefined;
  readonly deletedAfter?: Instant | undefined;
  readonly deletedBefore?: Instant | undefined;
  /** Only Jobs that wait: for a node, for quota, for an image. */
  readonly waiting?: boolean | undefined;
  /** Only Jobs that need attention. */
  readonly attention?: boolean | undefined;
}

/** A stored run, and the uids of its Jobs. */
export interface RunFound {
  readonly cluster: ClusterName;
  readonly uid: string;
  readonly jobs: ReadonlySet<string>;
}

/** Whether a Job matches all filters except `attention`, which only its list row knows. */
export function matchesJob(filter: JobFilter, job: JobAnswer): boolean {
  return (
    isNamed(filter, job) &&
    isWaiting(filter, job) &&
    (filter.states?.includes(job.verdict.state) ?? true) &&
    matchesSelectors(filter, job) &&
    isOwnedBy(job, filter.owner) &&
    isPartOf(job, filter) &&
    isInRanges(filter, job)
  );
}

/** Whether a Job matches the filter and the reader may see it. */
export function isSelected(scope: Scope, { attention, ...filter }: JobFilter, job: JobAnswer): boolean {
  const hasAttention = attention !== true || job.findings.length > 0;
  return hasAttention && mayRead(scope, job.cluster, job.namespace) && matchesJob(filter, job);
}

/** Whether a Job of a list matches all filters. Its row says whether it needs attention. */
export function matchesRow(filter: JobFilter, { attention }: Pick<JobRow, "attention">, job: JobAnswer): boolean {
  return (filter.attention !== true || attention) && matchesJob(filter, job);
}

interface TimeRange {
  readonly of: "createdAt" | "startedAt" | "finishedAt" | "deletedAt";
  readonly after: Instant | undefined;
  readonly before: Instant | undefined;
}

/** The time bounds of a filter. */
export type TimeBounds = Pick<JobFilter, `${"created" | "started" | "finished" | "deleted"}${"After" | "Before"}`>;

/** Whether all times are within the bounds. A time that is not known is within none. */
export function isInRanges(bounds: TimeBounds, item: { readonly [Of in TimeRange["of"]]?: string }): boolean {
  return rangesOf(bounds).every(({ of, after, before }) => isWithin(item[of], after, before));
}

function rangesOf(filter: TimeBounds): readonly TimeRange[] {
  return [
    { of: "createdAt", after: filter.createdAfter, before: filter.createdBefore },
    { of: "startedAt", after: filter.startedAfter, before: filter.startedBefore },
    { of: "finishedAt", after: filter.finishedAfter, before: filter.finishedBefore },
    { of: "deletedAt", after: filter.deletedAfter, before: filter.deletedBefore },
  ];
}

/** The field of the first time range that ends before it begins, which no Job can match. */
export function emptyRange(filter: TimeBounds): TimeRange["of"] | undefined {
  return rangesOf(filter).find(({ after, before }) => after !== undefined && before !== undefined && after >= before)
    ?.of;
}

function matchesSelectors({ labels = [], fields = [] }: JobFilter, job: JobAnswer): boolean {
  return matchesLabels(labels, job.labels) && matchesFields(fields, job);
}

function isWaiting({ waiting }: JobFilter, job: JobAnswer): boolean {
  return waiting !== true || job.waiting !== undefined;
}

type Place = Pick<JobFilter, "cluster" | "namespace" | "name">;

export function isNamed({ cluster, namespace, name }: Place, item: Readonly<Record<keyof Place, string>>): boolean {
  return (
    item.cluster === (cluster ?? item.cluster) &&
    item.namespace === (namespace ?? item.namespace) &&
    item.name === (name ?? item.name)
  );
}

function isOwnedBy({ owners }: JobAnswer, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const names = owners.flatMap(({ kind, name, uid }) => [name, uid, `${kind}/${name}`.toLowerCase()]);
  return names.some((known) => known === wanted || known === wanted.toLowerCase());
}

/** Also of an object between the Job and its run. */
function isPartOf(job: JobAnswer, { run: wanted, runsFound }: JobFilter): boolean {
  if (runsFound !== undefined) return runsFound.some((run) => isJobOf(job, run));
  const { run, owners, externalIds } = job;
  if (wanted === undefined || isRunNamed(run, wanted) || isWorkNamed(externalIds, wanted)) return true;
  return owners.some((owner) => isRunNamed(owner, wanted));
}

/** A stored run does not list all of very many Jobs. */
function isJobOf({ cluster, uid, owners }: JobAnswer, run: RunFound): boolean {
  return cluster === run.cluster && (run.jobs.has(uid) || owners.some((owner) => owner.uid === run.uid));
}

function isWithin(text: string | undefined, after: Instant | undefined, before: Instant | undefined): boolean {
  if (after === undefined && before === undefined) return true;
  const instant = parseInstant(text);
  return (
    instant !== undefined && (after === undefined || instant > after) && (before === undefined || instant < before)
  );
}
