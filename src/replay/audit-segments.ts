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
import { placeSegment } from "../projection/job-state/log-keys.ts";
import { PageUnreadableError } from "../projection/pages/page-ref.ts";
import { joinRecordValue } from "../projection/project-cluster.ts";
import { readJob } from "../projection/job-state/read-job.ts";

/** A log item of which something is not in the projection, and why that is known. */
export interface Unapplied {
  readonly key: LogKey;
  readonly reason: string;
}

export interface AuditedStores {
  /** The projection that answers. */
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

/** Jobs and records looked at at once. */
const LANES = 16;

/**
 * Which of these segments are not wholly in the projection: a Job's state names the segments that were folded into it, and a record beside the Jobs changes
 * when a fact is joined into it that it lacks. One read for each Job and record that the segments are about.
 */
export async function findUnapplied(
  stores: AuditedStores,
  segments: readonly LoggedSegment[],
): Promise<readonly Unapplied[]> {
  const found: Unapplied[] = [];
  const queue = groupFacts(segments).values();
  const lane = async () => {
    for (const group of queue) found.push(...(await unappliedOf(stores, group)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return [...new Map(found.map((one) => [`${one.key.pk} ${one.key.sk}`, one])).values()];
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
  if (view === undefined) return unapplied(all, `The projection does not know Job ${key.jobUid}.`);
  try {
    const lacking = new Set(
      (await view.lacking(all.map(({ name }) => name))).map((name) => placeSegment(name).place.id),
    );
    const left = all.filter(({ name }) => lacking.has(placeSegment(name).place.id));
    return unapplied(left, `It was not folded into Job ${key.jobUid}.`);
  } catch (cause) {
    if (!(cause instanceof PageUnreadableError)) throw cause;
    return unapplied(all, cause.message);
  }
}

async function unappliedOfRecord(
  { meta }: AuditedStores,
  { place, facts, segments }: RecordGroup,
): Promise<readonly Unapplied[]> {
  const stored = await meta.read(place.kind, place.key);
  const left = [...segments].filter((segment) => {
    // Segment by segment: what one of them lacks says nothing about the others.
    const told = new Set<Fact>(segment.facts);
    const own = facts.filter((fact) => told.has(fact));
    return stored === undefined || joinRecordValue(stored.value, own) !== stored.value;
  });
  return unapplied(left, `It was not joined into record ${place.kind} ${place.key}.`);
}

function unapplied(segments: readonly LoggedSegment[], reason: string): readonly Unapplied[] {
  return segments.map(({ key }) => ({ key, reason }));
}
