import { canonical } from "./canonical.ts";
import {
  type CronJobRecord,
  type HintRecord,
  MAX_CRON_SPECS,
  MAX_HINTS,
  MAX_NODE_LABELS,
  MAX_NODE_LIFECYCLES,
  MAX_NODE_STANDS,
  type NamespaceMarksRecord,
  type NodeRecord,
} from "./cluster-context.ts";
import type {
  ClusterObserved,
  CronJobDeleted,
  CronJobObserved,
  Fact,
  GapRecorded,
  HintFact,
  NamespaceFact,
  NodeDeleted,
  NodeObserved,
} from "./fact.ts";
import { earlier, later } from "./milestone.ts";

/** How many deletions of Nodes of one name are kept, the latest. Names are reused; each Node object is deleted once. */
const MAX_NODE_DELETIONS = 16;

/**
 * Joins a fact about a Node into its record. Of several observations of one Ready state the first is kept, and of
 * several Ready states the latest. Labels and lifecycle conditions are kept once, not with each Ready state. Returns
 * `record` itself if nothing changes, as all joins here do.
 */
export function joinNodeFact(record: NodeRecord, fact: NodeObserved | NodeDeleted): NodeRecord {
  if (fact.kind === "NodeDeleted") return withSlot(record, "deleted", joinMember(record.deleted, fact, deletions));
  const { labels, createdAt, lifecycle, ...stand } = fact;
  const observed = withSlot(record, "stands", joinMember(record.stands, stand, stands));
  const created = createdAt === undefined ? {} : { createdAt };
  const known =
    labels === undefined
      ? observed
      : withSlot(observed, "labelled", joinMember(record.labelled ?? [], { ...stand, labels, ...created }, labelSets));
  if (lifecycle === undefined) return known;
  return withSlot(known, "lifecycles", joinMember(record.lifecycles ?? [], { ...stand, lifecycle }, lifecycles));
}

export function joinCronJobFact(record: CronJobRecord, fact: CronJobObserved | CronJobDeleted): CronJobRecord {
  if (fact.kind === "CronJobDeleted") return withSlot(record, "deleted", earlier(record.deleted, fact));
  const observed = withSlot(record, "observed", later(record.observed, fact));
  return withSlot(observed, "specs", joinMember(knownSpecs(record), fact, specs));
}

export function joinNamespaceFact(record: NamespaceMarksRecord, fact: NamespaceFact): NamespaceMarksRecord {
  if (fact.kind === "NamespaceDeleted") return withSlot(record, "deleted", later(record.deleted, fact));
  return withSlot(record, "observed", later(record.observed, fact));
}

/** A record of an earlier release has only the latest observation. */
function knownSpecs({ specs: known, observed }: CronJobRecord): readonly CronJobObserved[] {
  return known ?? (observed === undefined ? [] : [observed]);
}

/** The latest observation of the cluster. It has no resource type, so its instant decides. */
export function joinClusterObserved(known: ClusterObserved | undefined, seen: ClusterObserved): ClusterObserved {
  if (known === undefined || known.at < seen.at) return seen;
  return known.at > seen.at ? known : later(known, seen);
}

/** Joins two records of one gap. A gap has no order, so the content decides. */
export function joinGap(known: GapRecorded | undefined, seen: GapRecorded): GapRecorded {
  return known === undefined ? seen : smallest(known, seen);
}

/**
 * Joins a hint into the hints of its object: of each hint the latest version is kept. Events and requests have a limit
 * of {@link MAX_HINTS} each, so that a Job's many Events never displace the request that deleted it.
 *
 * Within the limit the first and the last are kept: the first request is the effective one, and the last is about the
 * newest object if the name was reused.
 */
export function joinHint(record: HintRecord, hint: HintFact): HintRecord {
  const alike = record.hints.filter(({ kind }) => kind === hint.kind);
  const joined = joinMember(alike, hint, hints);
  if (joined === alike) return record;
  const others = record.hints.filter(({ kind }) => kind !== hint.kind);
  return { hints: [...others, ...joined].sort((a, b) => compareKeys(hints.key(a), hints.key(b))) };
}

/**
 * A bounded set of facts. Only the keys decide which members are kept. If the content of a member decided too, its
 * change could restore a dropped member, and the join would not be associative.
 */
interface BoundedSet<F extends Fact> {
  /** Facts with the same key are deduplicated, then ordered by number and text. */
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
const labelSets: BoundedSet<NodeObserved> = {
  key: ({ createdAt = 0, nodeUid, labels }) => [createdAt, `${nodeUid}/${canonical(labels)}`],
  join: earlier,
  most: MAX_NODE_LABELS,
  keep: "last",
};
const lifecycles: BoundedSet<NodeObserved> = {
  key: ({ nodeUid, lifecycle = [] }) => [
    Math.max(...lifecycle.map(({ since }) => since)),
    `${nodeUid}/${canonical(lifecycle)}`,
  ],
  join: earlier,
  most: MAX_NODE_LIFECYCLES,
  keep: "last",
};
const specs: BoundedSet<CronJobObserved> = {
  key: ({ generation }) => [generation, ""],
  join: earlier,
  most: MAX_CRON_SPECS,
  keep: "last",
};
const hints: BoundedSet<HintFact> = {
  key: keyOfHint,
  join: (known, seen) => (seen.kind === "EvictionObserved" ? earlier(known, seen) : later(known, seen)),
  most: MAX_HINTS,
  keep: "ends",
};

/** Every state of an eviction is kept: whether it is a cause depends on when a requester withdrew. */
function keyOfHint(hint: HintFact): readonly [number, string] {
  switch (hint.kind) {
    case "EventHinted":
      return [hint.firstAt, hint.hintId];
    case "RequestHinted":
      return [hint.requestedAt, hint.hintId];
    case "EvictionObserved": {
      const { requesters, conditions, deleted = false } = hint;
      return [hint.createdAt, `${hint.hintId}/${canonical({ requesters, conditions, deleted })}`];
    }
  }
}

function joinMember<F extends Fact>(
  known: readonly F[],
  seen: F,
  { key, join, most, keep }: BoundedSet<F>,
): readonly F[] {
  const seenKey = key(seen);
  const same = known.find((fact) => compareKeys(key(fact), seenKey) === 0);
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
