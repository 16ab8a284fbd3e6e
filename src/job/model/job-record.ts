import type {
  Fact,
  JobCreated,
  JobDeleted,
  JobDeletionRequested,
  JobFact,
  JobFinished,
  JobObjectFact,
  JobReported,
  JobSpecified,
  JobTracked,
  JobUntracked,
  JobVanished,
  PodFact,
} from "./fact.ts";
import { isPodFact } from "./fact.ts";
import type { JobUid, PodUid } from "./ids.ts";
import { type Counter, earlier, later, peakOf } from "./milestone.ts";
import { factsOfPod, joinPodFact, joinPods, type PodRecord } from "./pod-record.ts";

/** The facts about a Job object itself, without its Pods. */
export interface JobObject {
  readonly uid: JobUid;
  readonly created?: JobCreated;
  /** The versions of the spec by {@link specVersion}; absent if no spec was observed. */
  readonly specified?: ReadonlyMap<string, JobSpecified>;
  /** The latest reported status. Every other fact here is the earliest of its kind. */
  readonly reported?: JobReported;
  /** The status at the first observation. Its counters include Pods that were not observed. */
  readonly firstReported?: JobReported;
  /** The report with the highest counter, if the latest one has less ({@link peakOf}). */
  readonly peakSucceeded?: JobReported;
  readonly peakFailed?: JobReported;
  readonly tracked?: JobTracked;
  readonly untracked?: JobUntracked;
  readonly complete?: JobFinished;
  readonly failed?: JobFinished;
  readonly deletionRequested?: JobDeletionRequested;
  readonly deleted?: JobDeleted;
  readonly vanished?: JobVanished;
}

/** A Job and its Pods: the state that results from joining all facts of the log. */
export interface JobRecord {
  readonly job: JobObject;
  readonly pods: ReadonlyMap<PodUid, PodRecord>;
}

export function emptyJob(uid: JobUid): JobRecord {
  return { job: { uid }, pods: new Map() };
}

/**
 * The key of one version of a Job's spec. The API server increments `generation` with every change of a spec. The
 * mutable fields are in the key too, for sources without a generation.
 */
function specVersion({ generation, spec }: JobSpecified): string {
  return [
    generation,
    spec.parallelism,
    spec.completions,
    spec.suspend,
    spec.activeDeadlineSeconds,
    spec.ttlSecondsAfterFinished,
  ].join("/");
}

/**
 * How many versions of a spec a record keeps, the lowest generations first. Beyond it, the latest changes are missing
 * from the history, but not from the status.
 */
const MAX_SPECS = 64;

/** `job` with `fact` joined in; `job` itself if the fact adds nothing. */
export function joinJobObjectFact(job: JobObject, fact: JobObjectFact): JobObject {
  return joinFactOfKind(job, fact.kind, fact);
}

function joinFactOfKind<Kind extends JobFactKind>(job: JobObject, kind: Kind, fact: JobFactByKind[Kind]): JobObject {
  return JOINS[kind](job, fact);
}

type JobFactKind = JobObjectFact["kind"];
type JobFactByKind = { readonly [F in JobObjectFact as F["kind"]]: F };

const JOINS: { readonly [Kind in JobFactKind]: (job: JobObject, fact: JobFactByKind[Kind]) => JobObject } = {
  JobCreated: (job, fact) => keep(job, "created", earlier(job.created, fact)),
  JobSpecified: (job, fact) => keep(job, "specified", withSpec(job.specified, withoutImages(fact))),
  JobReported: withReport,
  JobTracked: (job, fact) => keep(job, "tracked", earlier(job.tracked, fact)),
  JobUntracked: (job, fact) => keep(job, "untracked", earlier(job.untracked, fact)),
  JobFinished: (job, fact) =>
    fact.condition.type === "Complete"
      ? keep(job, "complete", earlier(job.complete, fact))
      : keep(job, "failed", earlier(job.failed, fact)),
  JobDeletionRequested: (job, fact) => keep(job, "deletionRequested", earlier(job.deletionRequested, fact)),
  JobDeleted: (job, fact) => keep(job, "deleted", earlier(job.deleted, fact)),
  JobVanished: (job, fact) => keep(job, "vanished", earlier(job.vanished, fact)),
};

function withReport(job: JobObject, fact: JobReported): JobObject {
  const reported = later(job.reported, fact);
  const first = keep(job, "firstReported", earlier(job.firstReported, fact));
  const latest = keep(first, "reported", reported);
  return withPeak(withPeak(latest, "succeeded", peakAfter("succeeded")), "failed", peakAfter("failed"));

  function peakAfter(counter: Counter): JobReported | undefined {
    return peakOf(counter, { peak: job[PEAKS[counter]], latest: job.reported }, { seen: fact, next: reported });
  }
}

const PEAKS = { succeeded: "peakSucceeded", failed: "peakFailed" } as const satisfies Record<Counter, keyof JobObject>;

function withPeak(job: JobObject, counter: Counter, peak: JobReported | undefined): JobObject {
  const slot = PEAKS[counter];
  if (peak !== undefined || job[slot] === undefined) return keep(job, slot, peak);
  const { [slot]: _, ...rest } = job;
  return rest;
}

/** `record` with `facts` joined in; `record` itself if they add nothing. Facts of other Jobs are ignored. */
export function joinFacts(record: JobRecord, facts: Iterable<JobFact>): JobRecord {
  let job = record.job;
  let changed: Map<PodUid, PodRecord> | undefined;
  for (const fact of facts) {
    if (fact.jobUid !== job.uid) continue;
    if (isPodFact(fact)) changed = joinIntoCopy(record.pods, changed, fact);
    else job = joinJobObjectFact(job, fact);
  }
  return job === record.job && changed === undefined ? record : { job, pods: changed ?? record.pods };
}

/** `copy`, or a new copy of `pods` if there is none, with `fact` joined in; `copy` itself if the fact adds nothing. */
function joinIntoCopy(
  pods: JobRecord["pods"],
  copy: Map<PodUid, PodRecord> | undefined,
  fact: PodFact,
): Map<PodUid, PodRecord> | undefined {
  const known = (copy ?? pods).get(fact.podUid);
  const joined = joinPodFact(known ?? { uid: fact.podUid }, fact);
  return joined === known ? copy : (copy ?? new Map(pods)).set(fact.podUid, joined);
}

/** The join of two records of the same Job: commutative, associative, idempotent, total. */
export function joinJobs(a: JobRecord, b: JobRecord): JobRecord {
  const pods = new Map(a.pods);
  for (const [uid, pod] of b.pods) {
    const known = pods.get(uid);
    pods.set(uid, known === undefined ? pod : joinPods(known, pod));
  }
  return { job: factsOfJobObject(b.job).reduce(joinJobObjectFact, a.job), pods };
}

/** The facts of a Job object. */
export function factsOfJobObject(job: JobObject): readonly JobObjectFact[] {
  const milestones = [
    job.created,
    job.firstReported,
    job.reported === job.firstReported ? undefined : job.reported,
    job.peakSucceeded === job.firstReported ? undefined : job.peakSucceeded,
    job.peakFailed === job.firstReported || job.peakFailed === job.peakSucceeded ? undefined : job.peakFailed,
    job.tracked,
    job.untracked,
    job.complete,
    job.failed,
    job.deletionRequested,
    job.deleted,
    job.vanished,
  ].filter((fact) => fact !== undefined);
  return [...milestones, ...[...(job.specified?.values() ?? [])].sort(byGeneration)];
}

/**
 * The facts of a record: first those of the Job object, then those of each Pod, in order of uids. Joined into an empty
 * record, they give the same record.
 */
export function factsOf(record: JobRecord): readonly JobFact[] {
  const pods = [...record.pods.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  return [...factsOfJobObject(record.job), ...pods.flatMap(factsOfPod)];
}

/** Joins facts of any number of Jobs into their records. Facts that belong to no Job are ignored. */
export function foldJobs(facts: Iterable<Fact>): Map<JobUid, JobRecord> {
  const fold = new JobFold();
  for (const fact of facts) fold.add(fact);
  return fold.records;
}

/**
 * Joins a stream of facts into records, one fact at a time. It changes the records in place: do not keep `records`
 * between calls of `add`.
 */
export class JobFold {
  readonly records = new Map<JobUid, JobRecord & { readonly pods: Map<PodUid, PodRecord> }>();

  add(fact: Fact): void {
    if (!("jobUid" in fact)) return;
    let record = this.records.get(fact.jobUid);
    if (record === undefined) {
      record = { job: { uid: fact.jobUid }, pods: new Map() };
      this.records.set(fact.jobUid, record);
    }
    if (isPodFact(fact)) {
      const known = record.pods.get(fact.podUid);
      const joined = joinPodFact(known ?? { uid: fact.podUid }, fact);
      if (joined !== known) record.pods.set(fact.podUid, joined);
      return;
    }
    const job = joinJobObjectFact(record.job, fact);
    if (job !== record.job) this.records.set(fact.jobUid, { job, pods: record.pods });
  }
}

function keep<Slot extends keyof JobObject>(job: JobObject, slot: Slot, value: JobObject[Slot]): JobObject {
  return job[slot] === value ? job : { ...job, [slot]: value };
}

/** The log keeps the images: they would be in the state of each Job, which is written again with each change. */
function withoutImages(fact: JobSpecified): JobSpecified {
  if (fact.images === undefined) return fact;
  const { images: _, ...kept } = fact;
  return kept;
}

function withSpec(specified: JobObject["specified"], fact: JobSpecified): ReadonlyMap<string, JobSpecified> {
  const version = specVersion(fact);
  const known = specified?.get(version);
  const kept = earlier(known, fact);
  if (kept === known && specified !== undefined) return specified;
  const next = new Map(specified).set(version, kept);
  if (next.size > MAX_SPECS) {
    const surplus = [...next.values()].sort(byGeneration).at(-1);
    if (surplus !== undefined) next.delete(specVersion(surplus));
  }
  return specified !== undefined && next.size === specified.size && !next.has(version) ? specified : next;
}

function byGeneration(a: JobSpecified, b: JobSpecified): number {
  return a.generation - b.generation || (specVersion(a) < specVersion(b) ? -1 : 1);
}
