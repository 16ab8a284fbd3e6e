import { canonical } from "./canonical.ts";
import { type CronJobRecord, type HintRecord, MAX_HINTS, MAX_NODE_STANDS, type NodeRecord } from "./cluster-record.ts";
import type {
  ClusterObserved,
  CronJobDeleted,
  CronJobObserved,
  Fact,
  GapRecorded,
  HintFact,
  NodeDeleted,
  NodeObserved,
} from "./fact.ts";
import { earlier, later } from "./milestone.ts";

/** The most deletions of Nodes of one name that are kept, the latest: names are reused, and each Node object goes once. */
const MAX_NODE_DELETIONS = 16;

/**
 * `record` with a fact about its Node joined in. A stand is what the Ready condition was since when; of observations of the same stand the first is kept,
 * of the stands the latest. Keeps `record` itself where nothing changes, as all joins here do.
 */
export function joinNodeFact(record: NodeRecord, fact: NodeObserved | NodeDeleted): NodeRecord {
  if (fact.kind === "NodeDeleted") return withSlot(record, "deleted", joinMember(record.deleted, fact, deletions));
  return withSlot(record, "stands", joinMember(record.stands, fact, stands));
}

export function joinCronJobFact(record: CronJobRecord, fact: CronJobObserved | CronJobDeleted): CronJobRecord {
  if (fact.kind === "CronJobDeleted") return withSlot(record, "deleted", earlier(record.deleted, fact));
  return withSlot(record, "observed", later(record.observed, fact));
}

/** The latest observation of the cluster. It is of no resource type, so that its instant decides. */
export function joinClusterObserved(known: ClusterObserved | undefined, seen: ClusterObserved): ClusterObserved {
  if (known === undefined || known.at < seen.at) return seen;
  return known.at > seen.at ? known : later(known, seen);
}

/** One gap as it was recorded; two records of one gap are decided by content, since a gap has no order. */
export function joinGap(known: GapRecorded | undefined, seen: GapRecorded): GapRecorded {
  return known === undefined ? seen : smallest(known, seen);
}

/**
 * The hints of one object: each once as it was told last. Of Events and of requests {@link MAX_HINTS} each, so that a Job's many Events never push out who
 * deleted it; of either the first and the last: the first request is the one that counts, and the last is about the youngest object of a name used again.
 */
export function joinHint(record: HintRecord, hint: HintFact): HintRecord {
  const alike = record.hints.filter(({ kind }) => kind === hint.kind);
  const joined = joinMember(alike, hint, hints);
  if (joined === alike) return record;
  const others = record.hints.filter(({ kind }) => kind !== hint.kind);
  return { hints: [...others, ...joined].sort((a, b) => compareKeys(hints.key(a), hints.key(b))) };
}

/**
 * A bounded set of facts. Which members are kept follows from their keys alone, never from what a member holds at the moment:
 * otherwise a member that changes could bring back one that was dropped before, and the join would not be associative.
 */
interface BoundedSet<F extends Fact> {
  /** Facts of one key are one member: a number to sort by, and a text. */
  readonly key: (fact: F) => readonly [number, string];
  /** Which of two facts of one member is kept. */
  readonly join: (known: F | undefined, seen: F) => F;
  readonly most: number;
  readonly keep: "last" | "ends";
}

const stands: BoundedSet<NodeObserved> = {
  key: ({ nodeUid, since, ready }) => [since, `${nodeUid}/${ready}`],
  join: earlier,
  most: MAX_NODE_STANDS,
  keep: "last",
};
const deletions: BoundedSet<NodeDeleted> = {
  key: ({ nodeUid, epoch, resourceVersion }) => [resourceVersion, `${epoch}/${nodeUid}`],
  join: earlier,
  most: MAX_NODE_DELETIONS,
  keep: "last",
};
const hints: BoundedSet<HintFact> = {
  key: (hint) => [hint.kind === "EventHinted" ? hint.firstAt : hint.requestedAt, hint.hintId],
  join: later,
  most: MAX_HINTS,
  keep: "ends",
};

function joinMember<F extends Fact>(
  known: readonly F[],
  seen: F,
  { key, join, most, keep }: BoundedSet<F>,
): readonly F[] {
  const place = key(seen);
  const same = known.find((fact) => compareKeys(key(fact), place) === 0);
  const kept = join(same, seen);
  if (kept === same) return known;
  const all = [...known.filter((fact) => fact !== same), kept].sort((a, b) => compareKeys(key(a), key(b)));
  const bounded = all.length <= most ? all : keep === "last" ? all.slice(-most) : bothEnds(all, most / 2);
  return bounded.includes(kept) ? bounded : known;
}

function bothEnds<F>(facts: readonly F[], each: number): readonly F[] {
  return [...facts.slice(0, each), ...facts.slice(-each)];
}

function compareKeys([a, aText]: readonly [number, string], [b, bText]: readonly [number, string]): number {
  return a - b || (aText < bText ? -1 : aText > bText ? 1 : 0);
}

function withSlot<Holder, Slot extends keyof Holder>(holder: Holder, slot: Slot, value: Holder[Slot]): Holder {
  return holder[slot] === value ? holder : { ...holder, [slot]: value };
}

function smallest<F extends Fact>(a: F, b: F): F {
  return canonical(a) <= canonical(b) ? a : b;
}
