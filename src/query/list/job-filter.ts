import type { JobAnswer } from "../../explain/answer-document.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import type { JobRow } from "../../ports/jobs.ts";
import { type FieldSelector, matchesFields } from "./field-selector.ts";
import { type LabelSelector, matchesLabels } from "./label-selector.ts";
import { mayRead, type Scope } from "../access/scope.ts";

/** Which Jobs are meant. Fields that are absent ask for nothing. Bounds of time are exclusive. */
export interface JobFilter {
  readonly cluster?: ClusterName | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly states?: readonly State[] | undefined;
  readonly labels?: LabelSelector | undefined;
  readonly fields?: FieldSelector | undefined;
  /** `Kind/name` or `name` of the owner, or its uid. */
  readonly owner?: string | undefined;
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  readonly startedAfter?: Instant | undefined;
  readonly startedBefore?: Instant | undefined;
  readonly finishedAfter?: Instant | undefined;
  readonly finishedBefore?: Instant | undefined;
  readonly deletedAfter?: Instant | undefined;
  readonly deletedBefore?: Instant | undefined;
  /** Only Jobs that need a person. */
  readonly attention?: boolean | undefined;
}

/** Whether a Job meets every filter that its row answers. `attention` is a list of its own. */
export function matchesJob(filter: JobFilter, job: JobAnswer): boolean {
  return (
    isNamed(filter, job) &&
    (filter.states?.includes(job.verdict.state) ?? true) &&
    matchesLabels(filter.labels ?? [], job.labels) &&
    matchesFields(filter.fields ?? [], job) &&
    isOwnedBy(job, filter.owner) &&
    rangesOf(filter).every(({ of, after, before }) => isWithin(job[of], after, before))
  );
}

/** Whether a Job is among those that are asked for and that the reader may see. */
export function isAskedFor(scope: Scope, { attention, ...filter }: JobFilter, job: JobAnswer): boolean {
  const needsPerson = attention !== true || job.findings.length > 0;
  return needsPerson && mayRead(scope, job.cluster, job.namespace) && matchesJob(filter, job);
}

/** Whether a Job of a list meets every filter; its row knows best whether it needs a person. */
export function matchesRow(filter: JobFilter, { attention }: Pick<JobRow, "attention">, job: JobAnswer): boolean {
  return (filter.attention !== true || attention) && matchesJob(filter, job);
}

interface TimeRange {
  readonly of: "createdAt" | "startedAt" | "finishedAt" | "deletedAt";
  readonly after: Instant | undefined;
  readonly before: Instant | undefined;
}

function rangesOf(filter: JobFilter): readonly TimeRange[] {
  return [
    { of: "createdAt", after: filter.createdAfter, before: filter.createdBefore },
    { of: "startedAt", after: filter.startedAfter, before: filter.startedBefore },
    { of: "finishedAt", after: filter.finishedAfter, before: filter.finishedBefore },
    { of: "deletedAt", after: filter.deletedAfter, before: filter.deletedBefore },
  ];
}

/** The first range that ends before it begins, by the time it bounds: no Job is in it, and nobody means that. */
export function turnedRange(filter: JobFilter): TimeRange["of"] | undefined {
  return rangesOf(filter).find(({ after, before }) => after !== undefined && before !== undefined && after >= before)
    ?.of;
}

function isNamed({ cluster, namespace, name }: JobFilter, job: JobAnswer): boolean {
  return (
    job.cluster === (cluster ?? job.cluster) &&
    job.namespace === (namespace ?? job.namespace) &&
    job.name === (name ?? job.name)
  );
}

function isOwnedBy({ owner }: JobAnswer, wanted: string | undefined): boolean {
  if (wanted === undefined || owner === undefined) return wanted === undefined;
  return [owner.name, owner.uid, `${owner.kind}/${owner.name}`.toLowerCase()].some(
    (known) => known === wanted || known === wanted.toLowerCase(),
  );
}

function isWithin(text: string | undefined, after: Instant | undefined, before: Instant | undefined): boolean {
  if (after === undefined && before === undefined) return true;
  const instant = parseInstant(text);
  return (
    instant !== undefined && (after === undefined || instant > after) && (before === undefined || instant < before)
  );
}
