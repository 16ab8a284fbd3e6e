import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
import { podName } from "../model/evidence.ts";
import type { EvictionObserved } from "../model/fact.ts";
import { compareOrder, type Order } from "../model/order.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Who wanted a Pod to be evicted when it was (KEP-4563). */
export interface RequestedEviction {
  /** In the order of their names. */
  readonly requesters: readonly string[];
  /** The controller reports that the Pod has been evicted. */
  readonly isConfirmed: boolean;
  /** The first request that was in force. */
  readonly fact: EvictionObserved;
}

/**
 * The eviction requests that were in force when the Pod's deletion, or its disruption, was first observed. The
 * resourceVersions decide: nearly every cluster stores these objects in one etcd. That is sufficient for an
 * attribution. A request that had been withdrawn, deleted or canceled by then is no cause.
 */
export function requestedEviction(pod: PodRecord, context: ClusterContext): RequestedEviction | undefined {
  const end = pod.deletionRequested ?? pod.deleted ?? pod.disrupted;
  if (end === undefined) return undefined;
  const observed = evictionsOf(pod, context);
  const wishes = wishesAt(observed, end);
  const [first] = wishes;
  if (first === undefined) return undefined;
  return {
    requesters: [...new Set(wishes.map(({ name }) => name))].sort(),
    isConfirmed: observed.some(({ conditions }) => isTrue(conditions, "TargetEvicted")),
    fact: first.fact,
  };
}

function evictionsOf(pod: PodRecord, { hints }: ClusterContext): readonly EvictionObserved[] {
  const target = { kind: "Pod", namespace: pod.created?.namespace ?? "", name: podName(pod) };
  const known = (hints.get(hintKey(target)) ?? []).filter((hint) => hint.kind === "EvictionObserved");
  return known.filter((hint) => hint.target.uid === pod.uid);
}

interface Wish {
  readonly name: string;
  readonly fact: EvictionObserved;
}

/** In the order of the observations. An Eviction may still name a requester that has withdrawn its EvictionRequest. */
function wishesAt(observed: readonly EvictionObserved[], end: Order): readonly Wish[] {
  const states = statesAt(observed, end);
  const ofRequesters = states.filter(({ of }) => of === "EvictionRequest");
  const wanting = new Set(ofRequesters.filter(isInForce).flatMap(wishesOf));
  const withdrawn = new Set(ofRequesters.flatMap(namesOf).filter((name) => !wanting.has(name)));
  return states
    .filter(isInForce)
    .flatMap((fact) => wishesOf(fact).map((name) => ({ name, fact })))
    .filter(({ name }) => !withdrawn.has(name))
    .sort((a, b) => compareOrder(a.fact, b.fact));
}

/** The state of each object when `end` was observed. An object that is newer has none. */
function statesAt(observed: readonly EvictionObserved[], end: Order): readonly EvictionObserved[] {
  const states = new Map<string, EvictionObserved>();
  for (const fact of observed) {
    const last = states.get(fact.hintId);
    if (compareOrder(fact, end) > 0 || (last !== undefined && compareOrder(fact, last) < 0)) continue;
    states.set(fact.hintId, fact);
  }
  return [...states.values()];
}

/** `Failed` is True if all requests were withdrawn, or no responder could evict the Pod. */
function isInForce(fact: EvictionObserved): boolean {
  return fact.deleted !== true && !isTrue(fact.conditions, "Failed") && wishesOf(fact).length > 0;
}

function wishesOf({ requesters }: EvictionObserved): readonly string[] {
  return requesters.filter(({ intent }) => intent === "Eviction").map(({ name }) => name);
}

function namesOf({ requesters }: EvictionObserved): readonly string[] {
  return requesters.map(({ name }) => name);
}

function isTrue(conditions: EvictionObserved["conditions"], type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}
