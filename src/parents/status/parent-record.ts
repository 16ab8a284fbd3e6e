import { canonical } from "../../job/model/canonical.ts";
import type { ParentCondition, ParentDeleted, ParentObserved } from "../../job/model/fact.ts";
import { earlier, later } from "../../job/model/milestone.ts";
import { compareOrder } from "../../job/model/order.ts";
import type { Seen } from "./watched-status.ts";
import { statusOf } from "./statuses.ts";

/** What is known about a parent: the join of its facts, in any order. */
export interface ParentRecord {
  readonly uid: string;
  /** The first observation. Its owner and labels are those of its creation. */
  readonly first?: ParentObserved;
  readonly last?: ParentObserved;
  /** Each time that it started its Jobs, by what distinguishes them; at most {@link MAX_ATTEMPTS}, the first. */
  readonly attempts: ReadonlyMap<string, SeenAttempt>;
  /** Each state that a condition was in, by type, status and instant; at most {@link MAX_TRANSITIONS}, the first. */
  readonly transitions: ReadonlyMap<string, ParentCondition>;
  readonly deleted?: ParentDeleted;
}

export interface SeenAttempt {
  readonly first: Seen;
  readonly last: Seen;
}

const MAX_ATTEMPTS = 64;
const MAX_TRANSITIONS = 256;

export function emptyParent(uid: string): ParentRecord {
  return { uid, attempts: new Map(), transitions: new Map() };
}

/** Commutative, associative and idempotent. */
export function joinParentFact(record: ParentRecord, fact: ParentObserved | ParentDeleted): ParentRecord {
  if (fact.kind === "ParentDeleted") return { ...record, deleted: earlier(record.deleted, fact) };
  return {
    ...record,
    first: earlier(record.first, fact),
    last: later(record.last, fact),
    attempts: withAttempt(record.attempts, fact),
    transitions: withTransitions(record.transitions, fact),
  };
}

function withAttempt(known: ParentRecord["attempts"], fact: ParentObserved): ParentRecord["attempts"] {
  const key = statusOf(fact.of)?.attempt(fact.fields);
  if (key === undefined) return known;
  const { epoch, resourceVersion, at, fields, conditions } = fact;
  const seen: Seen = { epoch, resourceVersion, at, fields, conditions };
  const attempt = known.get(key);
  const joined = { first: firstSeen(attempt?.first, seen), last: lastSeen(attempt?.last, seen) };
  return bounded(new Map(known).set(key, joined), MAX_ATTEMPTS, (a, b) => compareSeen(a.first, b.first));
}

function firstSeen(known: Seen | undefined, seen: Seen): Seen {
  return known === undefined || compareSeen(seen, known) < 0 ? seen : known;
}

function lastSeen(known: Seen | undefined, seen: Seen): Seen {
  return known === undefined || compareSeen(seen, known) > 0 ? seen : known;
}

/** By order. Two observations of one order are compared by content, so that the join commutes. */
function compareSeen(a: Seen, b: Seen): number {
  const order = compareOrder(a, b);
  if (order !== 0) return order;
  const [ours, theirs] = [canonical(a), canonical(b)];
  return ours < theirs ? -1 : Number(ours > theirs);
}

function withTransitions(
  known: ParentRecord["transitions"],
  { conditions }: ParentObserved,
): ParentRecord["transitions"] {
  const transitions = new Map(known);
  for (const condition of conditions) {
    if (condition.lastTransitionAt === undefined) continue;
    const key = keyOfTransition(condition);
    const same = transitions.get(key);
    // The message may change while the status stays: of several, the smallest text is kept.
    if (same === undefined || canonical(condition) < canonical(same)) transitions.set(key, condition);
  }
  return bounded(transitions, MAX_TRANSITIONS, (a, b) => (a.lastTransitionAt ?? 0) - (b.lastTransitionAt ?? 0));
}

/** The state that a condition was in, and since when. */
export function keyOfTransition({ type, status, lastTransitionAt }: ParentCondition): string {
  return `${type}/${status}/${lastTransitionAt}`;
}

function bounded<Value>(
  map: ReadonlyMap<string, Value>,
  limit: number,
  compare: (a: Value, b: Value) => number,
): ReadonlyMap<string, Value> {
  if (map.size <= limit) return map;
  const entries = [...map].sort(([keyA, a], [keyB, b]) => compare(a, b) || (keyA < keyB ? -1 : 1));
  return new Map(entries.slice(0, limit));
}
