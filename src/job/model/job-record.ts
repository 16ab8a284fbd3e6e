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
} from "./fact.ts";
import { isPodFact } from "./fact.ts";
import type { JobUid, PodUid } from "./ids.ts";
import { earlier, later } from "./milestone.ts";
import { factsOfPod, joinPodFact, joinPods, type PodRecord } from "./pod-record.ts";

/** All that is known of a Job object itself, its Pods aside. */
export interface JobObject {
  readonly uid: JobUid;
  readonly created?: JobCreated;
  /** What the Job was to do, by {@link specVersion}; absent while no spec was seen. */
  readonly specified?: ReadonlyMap<string, JobSpecified>;
  /** What Kubernetes said last; every other fact here is the earliest of its kind. */
  readonly reported?: JobReported;
  /** What Kubernetes had said when the Job was first seen: counters above zero there speak of Pods nobody here saw. */
  readonly firstReported?: JobReported;
  readonly tracked?: JobTracked;
  readonly untracked?: JobUntracked;
  readonly complete?: JobFinished;
  readonly failed?: JobFinished;
  readonly deletionRequested?: JobDeletionRequested;
  readonly deleted?: JobDeleted;
  readonly vanished?: JobVanished;
}

/** A Job and the Pods that are its own: the state that the log folds to. */
export interface JobRecord {
  readonly job: JobObject;
  readonly pods: ReadonlyMap<PodUid, PodRecord>;
}

export function emptyJob(uid: JobUid): JobRecord {
  return { job: { uid }, pods: new Map() };
}

/**
 * One version of a Job's spec. The API server raises `generation` with every change of a spec; the fields that may change
 * are in the key as well, for sources that keep no generation.
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

/** The most versions of a spec that a record keeps, the lowest generations first. Who changes a Job more often than this loses the latest changes from its history, not from its status. */
const MAX_SPECS = 64;

/** `job` with `fact` joined in; `job` itself where the fact says nothing new. */
export function joinJobObjectFact(job: JobObject, fact: JobObjectFact): JobObject {
  switch (fact.kind) {
    case "JobCreated":
      return keep(job, "created", earlier(job.created, fact));
    case "JobSpecified":
      return keep(job, "specified", withSpec(job.specified, fact));
    case "JobReported":
      return keep(keep(job, "firstReported", earlier(job.firstReported, fact)), "reported", later(job.reported, fact));
    case "JobTracked":
      return keep(job, "tracked", earlier(job.tracked, fact));
    case "JobUntracked":
      return keep(job, "untracked", earlier(job.untracked, fact));
    case "JobFinished":
      return fact.condition.type === "Complete"
        ? keep(job, "complete", earlier(job.complete, fact))
        : keep(job, "failed", earlier(job.failed, fact));
    case "JobDeletionRequested":
      return keep(job, "deletionRequested", earlier(job.deletionRequested, fact));
    case "JobDeleted":
      return keep(job, "deleted", earlier(job.deleted, fact));
    case "JobVanished":
      return keep(job, "vanished", earlier(job.vanished, fact));
  }
}

/** `record` with all of `facts` joined in; `record` itself where they say nothing new. Facts of other Jobs are no concern of it. */
export function joinFacts(record: JobRecord, facts: Iterable<JobFact>): JobRecord {
  let job = record.job;
  let pods: Map<PodUid, PodRecord> | undefined;
  for (const fact of facts) {
    if (fact.jobUid !== job.uid) continue;
    if (!isPodFact(fact)) {
      job = joinJobObjectFact(job, fact);
      continue;
    }
    const known = (pods ?? record.pods).get(fact.podUid);
    const joined = joinPodFact(known ?? { uid: fact.podUid }, fact);
    if (joined === known) continue;
    pods ??= new Map(record.pods);
    pods.set(fact.podUid, joined);
  }
  return job === record.job && pods === undefined ? record : { job, pods: pods ?? record.pods };
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

/** The facts that a Job object's record is made of. */
export function factsOfJobObject(job: JobObject): readonly JobObjectFact[] {
  const milestones = [
    job.created,
    job.firstReported,
    job.reported === job.firstReported ? undefined : job.reported,
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

/** The facts a record is made of: the Job's own, then each Pod's, Pods by uid. Joined into an empty record they give it back. */
export function factsOf(record: JobRecord): readonly JobFact[] {
  const pods = [...record.pods.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  return [...factsOfJobObject(record.job), ...pods.flatMap(factsOfPod)];
}

/** Folds facts of any number of Jobs into their records. Facts that belong to no Job are passed over. */
export function foldJobs(facts: Iterable<Fact>): Map<JobUid, JobRecord> {
  const fold = new JobFold();
  for (const fact of facts) fold.add(fact);
  return fold.records;
}

/**
 * The fold of a stream of facts, one at a time, that holds no more than the records themselves.
 * It joins in place: the Pods of its records are its own until nobody adds any more.
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
