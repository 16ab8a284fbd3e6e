import pLimit from "p-limit";
import type { Fact } from "../job/model/fact.ts";
import type { JobStore } from "../ports/jobs.ts";
import type { LogKey } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import {
  type FactGroup,
  groupFacts,
  type JobGroup,
  type LoggedSegment,
  type RecordGroup,
} from "../projection/group-facts.ts";
import { keyedSegment } from "../projection/job-state/log-keys.ts";
import { PageUnreadableError } from "../projection/pages/page-ref.ts";
import { joinRecordValue } from "../projection/project-cluster.ts";
import { readJob } from "../projection/job-state/read-job.ts";

/** A log item that is missing from the projection, at least in part. */
export interface Unapplied {
  readonly key: LogKey;
  readonly reason: string;
}

export interface AuditedStores {
  /** The projection that answers. */
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

/** Jobs and records that are read concurrently. */
const MAX_CONCURRENT = 16;

/**
 * The segments that are not completely in the projection. A Job's state names its segments; a record lacks a fact if
 * joining the fact changes it. Reads each Job and record of the segments once.
 */
export async function findUnapplied(
  stores: AuditedStores,
  segments: readonly LoggedSegment[],
): Promise<readonly Unapplied[]> {
  const groups = [...groupFacts(segments).values()];
  const found = await pLimit(MAX_CONCURRENT).map(groups, (group) => unappliedOf(stores, group));
  return [...new Map(found.flat().map((one) => [`${one.key.pk} ${one.key.sk}`, one])).values()];
}

async function unappliedOf(stores: AuditedStores, group: FactGroup): Promise<readonly Unapplied[]> {
  switch (group.kind) {
    case "job":
      return unappliedOfJob(stores, group);
    case "record":
      return unappliedOfRecord(stores, group);
  }
}

async function unappliedOfJob({ jobs }: AuditedStores, { key, segments }: JobGroup): Promise<readonly Unapplied[]> {
  const all = [...segments];
  const view = await readJob(jobs, key);
  if (view === undefined) return unapplied(all, `The projection has no Job ${key.jobUid}.`);
  try {
    const applied = await view.applied(all.map(({ name }) => name));
    const appliedIds = new Set(applied.map((name) => keyedSegment(name).sortKey.id));
    const left = all.filter(({ name }) => !appliedIds.has(keyedSegment(name).sortKey.id));
    return unapplied(left, `It is missing from Job ${key.jobUid}.`);
  } catch (cause) {
    if (!(cause instanceof PageUnreadableError)) throw cause;
    return unapplied(all, cause.message);
  }
}

async function unappliedOfRecord(
  { meta }: AuditedStores,
  { record, facts, segments }: RecordGroup,
): Promise<readonly Unapplied[]> {
  const stored = await meta.read(record.kind, record.key);
  const left = [...segments].filter((segment) => {
    // Each segment separately: another segment may be complete.
    const segmentFacts = new Set<Fact>(segment.facts);
    const own = facts.filter((fact) => segmentFacts.has(fact));
    return stored === undefined || joinRecordValue(record, stored.value, own) !== stored.value;
  });
  return unapplied(left, `It is missing from record ${record.kind} ${record.key}.`);
}

function unapplied(segments: readonly LoggedSegment[], reason: string): readonly Unapplied[] {
  return segments.map(({ key }) => ({ key, reason }));
}
