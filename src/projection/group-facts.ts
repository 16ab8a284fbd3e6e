import { type ClusterFact, type Fact, isJobFact, isRunFact, type JobFact, type RunFact } from "../job/model/fact.ts";
import type { ErasedFacts } from "../segment/segment.ts";
import type { ClusterName, JobUid } from "../job/model/ids.ts";
import { factsByRun, isLink } from "../parents/run/object-above.ts";
import type { JobKey } from "../ports/jobs.ts";
import type { LogKey } from "../ports/log.ts";
import type { SegmentName } from "./job-state/log-keys.ts";
import { RunsByUid } from "./run-state/run-changes.ts";
import { type ClusterRecordKey, recordKeyOf } from "./project-cluster.ts";

/** A segment as it was read from the log. */
export interface LoggedSegment {
  readonly key: LogKey;
  readonly cluster: ClusterName;
  readonly name: SegmentName;
  readonly facts: readonly Fact[];
  readonly erased?: ErasedFacts;
}

/** Facts of one Job, from any number of segments. */
export interface JobGroup {
  readonly kind: "job";
  readonly key: JobKey;
  readonly facts: JobFact[];
  readonly segments: Set<LoggedSegment>;
}

/** Facts that are joined into one meta record. */
export interface RecordGroup {
  readonly kind: "record";
  readonly cluster: ClusterName;
  readonly record: ClusterRecordKey;
  readonly facts: ClusterFact[];
  readonly segments: Set<LoggedSegment>;
}

/** What is joined into one run: facts, and Jobs whose states have been written. */
export interface RunGroup {
  readonly kind: "run";
  /** That of the run is its uid. */
  readonly key: JobKey;
  readonly facts: RunFact[];
  readonly jobs: Set<JobUid>;
  readonly segments: Set<LoggedSegment>;
}

export type FactGroup = JobGroup | RecordGroup;

/** The names of the segments that contain a Job's facts. */
export function segmentsOf({ segments }: JobGroup): readonly SegmentName[] {
  return [...segments].map(({ name }) => name);
}

/** The runs that facts of many segments are about. */
export class RunGroups {
  readonly #groups = new RunsByUid((key): RunGroup => ({
    kind: "run",
    key,
    facts: [],
    jobs: new Set(),
    segments: new Set(),
  }));

  constructor(segments: readonly LoggedSegment[]) {
    for (const segment of segments) {
      for (const [runUid, fact] of segment.facts.filter(isRunFact).flatMap(factsByRun)) {
        const group = this.#groups.at(segment.cluster, runUid);
        if (group !== undefined) addTo(group, fact, segment);
      }
    }
  }

  get all(): readonly RunGroup[] {
    return this.#groups.all;
  }

  /** Those with links to others are last: what they link to is stored by then. */
  get inOrder(): readonly (readonly RunGroup[])[] {
    const hasLinks = ({ key, facts }: RunGroup) => facts.some((fact) => isLink(fact, key.jobUid));
    return [this.all.filter((run) => !hasLinks(run)), this.all.filter(hasLinks)];
  }

  /** Adds a Job of a run, of which something in its segments is new. */
  addJob(runUid: string, { key, segments }: JobGroup): void {
    const group = this.#groups.at(key.cluster, runUid);
    group?.jobs.add(key.jobUid);
    for (const segment of segments) group?.segments.add(segment);
  }
}

/** Groups the facts of many segments by the Job or record that they are joined into. Those of runs are left out. */
export function groupFacts(segments: readonly LoggedSegment[]): readonly FactGroup[] {
  const jobs = new Map<string, JobGroup>();
  const records = new Map<string, RecordGroup>();
  for (const segment of segments) {
    for (const fact of segment.facts) {
      if (isJobFact(fact)) addTo(jobGroup(jobs, segment.cluster, fact), fact, segment);
      else if (!isRunFact(fact)) addTo(recordGroup(records, segment.cluster, fact), fact, segment);
    }
  }
  return [...jobs.values(), ...records.values()];
}

function jobGroup(groups: Map<string, JobGroup>, cluster: ClusterName, { jobUid }: JobFact): JobGroup {
  return existing(groups, `${cluster}#${jobUid}`, () => ({
    kind: "job",
    key: { cluster, jobUid },
    facts: [],
    segments: new Set(),
  }));
}

function recordGroup(groups: Map<string, RecordGroup>, cluster: ClusterName, fact: ClusterFact): RecordGroup {
  const record = recordKeyOf(cluster, fact);
  return existing(groups, `${record.kind} ${record.key}`, () => ({
    kind: "record",
    cluster,
    record,
    facts: [],
    segments: new Set(),
  }));
}

function existing<Group>(groups: Map<string, Group>, key: string, make: () => Group): Group {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made = make();
  groups.set(key, made);
  return made;
}

function addTo<F extends Fact>(
  group: { readonly facts: F[]; readonly segments: Set<LoggedSegment> },
  fact: F,
  segment: LoggedSegment,
): void {
  group.facts.push(fact);
  group.segments.add(segment);
}
