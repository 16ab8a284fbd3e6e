import { canonical } from "../job/model/canonical.ts";
import { type Fact, isJobFact, isPodFact, type JobFact, type JobObjectFact, type PodFact } from "../job/model/fact.ts";
import { compareOrder } from "../job/model/order.ts";

/** Facts in the order of a segment: by Job, then by Pod, without duplicates. Equal sets have equal groups. */
export interface FactGroups {
  readonly jobs: readonly JobGroup[];
  readonly cluster: readonly Fact[];
}
export interface JobGroup {
  readonly uid: string;
  readonly own: readonly JobObjectFact[];
  readonly pods: readonly PodGroup[];
}
export interface PodGroup {
  readonly uid: string;
  readonly facts: readonly PodFact[];
}

/** Groups are ordered by their first facts, so that consecutive stamps differ little. */
export function groupFacts(facts: Iterable<Fact>): FactGroups {
  const jobs = new Map<string, JobFact[]>();
  const cluster: Fact[] = [];
  for (const fact of facts) {
    if (isJobFact(fact)) push(jobs, fact.jobUid, fact);
    else cluster.push(fact);
  }
  return { jobs: sortedGroups(jobs).map(toJobGroup), cluster: sortedFacts(cluster) };
}

/** All facts of `groups`, in order. */
export function* ungroupFacts(groups: FactGroups): Generator<Fact> {
  for (const { own, pods } of groups.jobs) {
    yield* own;
    for (const { facts } of pods) yield* facts;
  }
  yield* groups.cluster;
}

function toJobGroup({ uid, facts }: Group<JobFact>): JobGroup {
  const pods = new Map<string, PodFact[]>();
  const own: JobObjectFact[] = [];
  for (const fact of facts) {
    if (isPodFact(fact)) push(pods, fact.podUid, fact);
    else own.push(fact);
  }
  return { uid, own, pods: sortedGroups(pods) };
}

interface Group<F extends Fact> {
  readonly uid: string;
  readonly facts: readonly F[];
}

function sortedGroups<F extends Fact>(groups: ReadonlyMap<string, readonly F[]>): readonly Group<F>[] {
  return [...groups]
    .map(([uid, facts]) => ({ uid, facts: sortedFacts(facts) }))
    .sort((a, b) => compareFirst(a.facts, b.facts) || compareText(a.uid, b.uid));
}

function compareFirst(a: readonly Fact[], b: readonly Fact[]): number {
  return a[0] === undefined || b[0] === undefined ? 0 : compareOrder(a[0], b[0]);
}

function sortedFacts<F extends Fact>(facts: readonly F[]): readonly F[] {
  const sorted = [...facts].sort(compareFacts);
  return sorted.filter((fact, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareFacts(before, fact) !== 0;
  });
}

function compareFacts(a: Fact, b: Fact): number {
  if (a === b) return 0;
  return compareOrder(a, b) || a.at - b.at || compareText(a.kind, b.kind) || compareText(canonical(a), canonical(b));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function push<F>(groups: Map<string, F[]>, uid: string, fact: F): void {
  const group = groups.get(uid);
  if (group === undefined) groups.set(uid, [fact]);
  else group.push(fact);
}
