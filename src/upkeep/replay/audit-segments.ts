import pLimit from "p-limit";
import type { Fact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import type { JobStore } from "../../ports/jobs.ts";
import type { LogKey } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import {
  type FactGroup,
  groupFacts,
  type JobGroup,
  type LoggedSegment,
  type RecordGroup,
  type RunGroup,
  RunGroups,
} from "../../projection/group-facts.ts";
import { keyedSegment, logKeyOf, type SegmentName } from "../../projection/job-state/log-keys.ts";
import { PageUnreadableError } from "../../projection/pages/page-ref.ts";
import { joinRecordValue } from "../../projection/project-cluster.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import { type AuditedRuns, lackingInRun } from "./audit-runs.ts";

/** A log item that is missing from the projection, at least in part. */
export interface Unapplied {
  readonly key: LogKey;
  readonly reason: string;
}

/** A segment that is in the log twice: SQS delivered it again, or another segment has its key. */
export interface LaterCopy {
  readonly key: LogKey;
  /** Where the earlier copy is. */
  readonly first: LogKey;
}

/** What a comparison of segments with the projection found. */
export interface ComparedSegments {
  readonly unapplied: readonly Unapplied[];
  readonly copies: readonly LaterCopy[];
}

export interface AuditedStores {
  /** The projection that answers. */
  readonly jobs: JobStore;
  /** The runs of the same projection. */
  readonly runs: AuditedRuns["runs"];
  readonly meta: MetaStore;
}

/** Jobs and records that are read concurrently. */
const MAX_CONCURRENT = 16;

/**
 * Finds the segments that are not completely in the projection, and those that are in the log twice. A Job's state
 * names its segments and where each arrived first. A record lacks a fact if joining the fact changes the record, and so
 * does a run. Reads each Job and record of the segments once, and again the Jobs of runs. A Job that has facts since
 * `settledAt` is compared with its run when these are compared: until then, the run may be about to be written.
 */
export async function compareSegments(
  stores: AuditedStores,
  segments: readonly LoggedSegment[],
  settledAt: Instant,
): Promise<ComparedSegments> {
  const groups = new RunGroups(segments);
  const limit = pLimit(MAX_CONCURRENT);
  const found = await limit.map(groupFacts(segments), (group) => compareGroup({ ...stores, group, groups, settledAt }));
  const ofRuns = await limit.map(groups.all, (run) => unappliedOfRun(stores, run));
  const copies = [...copiesWithin(segments), ...found.flatMap((one) => one.copies)];
  return {
    unapplied: oncePerKey([...found.flatMap((one) => one.unapplied), ...ofRuns.flat()]),
    copies: oncePerKey(copies),
  };
}

async function unappliedOfRun(stores: AuditedStores, run: RunGroup): Promise<readonly Unapplied[]> {
  const reason = await lackingInRun(stores, run);
  return reason === undefined ? [] : unapplied([...run.segments], reason);
}

function oncePerKey<Found extends { readonly key: LogKey }>(found: readonly Found[]): readonly Found[] {
  return [...new Map(found.map((one) => [JSON.stringify(one.key), one])).values()];
}

interface AuditedGroup<Group> extends AuditedStores {
  readonly group: Group;
  /** Gets the Jobs that belong to runs. */
  readonly groups: RunGroups;
  readonly settledAt: Instant;
}

async function compareGroup({ group, ...audited }: AuditedGroup<FactGroup>): Promise<ComparedSegments> {
  switch (group.kind) {
    case "job":
      return compareJob({ ...audited, group });
    case "record":
      return { unapplied: await unappliedOfRecord(audited, group), copies: [] };
  }
}

async function compareJob({ jobs, group, groups, settledAt }: AuditedGroup<JobGroup>): Promise<ComparedSegments> {
  const { key, segments } = group;
  const all = [...segments];
  const view = await readJob(jobs, key);
  if (view === undefined) return { unapplied: unapplied(all, `The projection has no Job ${key.jobUid}.`), copies: [] };
  const run = view.job.created && runOfJob(view.job.created);
  if (run !== undefined && view.seenAt < settledAt) groups.addJob(run.uid, group);
  try {
    const applied = await view.applied(all.map(({ name }) => name));
    const known = new Map(applied.map((name) => [nameText(name), name]));
    const left = all.filter(({ name }) => !known.has(nameText(name)));
    return {
      unapplied: unapplied(left, `It is missing from Job ${key.jobUid}.`),
      copies: all.flatMap((segment) => laterCopy(segment, known.get(nameText(segment.name)))),
    };
  } catch (cause) {
    if (!(cause instanceof PageUnreadableError)) throw cause;
    return { unapplied: unapplied(all, cause.message), copies: [] };
  }
}

/** Names a segment wherever it is stored. */
function nameText(name: SegmentName): string {
  return `${name.sealedAt} ${keyedSegment(name).sortKey.id}`;
}

/** The copies among segments that are compared together: they may have no Job in common. */
function copiesWithin(segments: readonly LoggedSegment[]): readonly LaterCopy[] {
  const first = new Map<string, LoggedSegment>();
  return segments.flatMap((segment) => {
    const text = `${segment.cluster} ${nameText(segment.name)}`;
    const known = first.get(text);
    if (known === undefined) first.set(text, segment);
    return laterCopy(segment, known?.name);
  });
}

function laterCopy({ key, cluster, name }: LoggedSegment, first: SegmentName | undefined): readonly LaterCopy[] {
  const isSame = first?.pack?.shard === name.pack?.shard && first?.pack?.arrivedAt === name.pack?.arrivedAt;
  return first === undefined || isSame ? [] : [{ key, first: logKeyOf(cluster, first) }];
}

async function unappliedOfRecord(
  { meta }: Pick<AuditedStores, "meta">,
  { record, facts, segments }: RecordGroup,
): Promise<readonly Unapplied[]> {
  const stored = await meta.read(record.kind, record.key);
  const left = [...segments].filter((segment) => {
    // Each segment is checked separately, because another one may be complete.
    const segmentFacts = new Set<Fact>(segment.facts);
    const own = facts.filter((fact) => segmentFacts.has(fact));
    return stored === undefined || joinRecordValue(record, stored.value, own) !== stored.value;
  });
  return unapplied(left, `It is missing from record ${record.kind} ${record.key}.`);
}

function unapplied(segments: readonly LoggedSegment[], reason: string): readonly Unapplied[] {
  return segments.map(({ key }) => ({ key, reason }));
}
