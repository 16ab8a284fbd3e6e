import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
import { podName } from "../model/evidence.ts";
import type { EvictionObserved } from "../model/fact.ts";
import { compareOrder, type Order } from "../model/order.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Who requested the eviction of a Pod, as of the time when it was evicted (KEP-4563). */
export interface RequestedEviction {
  /** In the order of their names. */
  readonly requesters: readonly string[];
  /** The controller reports that the Pod has been evicted. */
  readonly isConfirmed: boolean;
  /** The first of these requests. */
  readonly fact: EvictionObserved;
}

/**
 * The eviction requests that were active when the Pod's deletion, or its disruption, was first observed. A request that
 * had been withdrawn, deleted or canceled by then is no cause. ResourceVersions give the order, as nearly every cluster
 * stores these objects in one etcd.
 */
export function requestedEviction(pod: PodRecord, context: ClusterContext): RequestedEviction | undefined {
  const end = pod.deletionRequested ?? pod.deleted ?? pod.disrupted;
  if (end === undefined) return undefined;
  const observed = evictionsOf(pod, context);
  const requests = activeRequests(observed, end);
  const [first] = requests;
  if (first === undefined) return undefined;
  return {
    requesters: [...new Set(requests.map(({ requester }) => requester))].sort(),
    isConfirmed: observed.some(({ conditions }) => isTrue(conditions, "TargetEvicted")),
    fact: first.fact,
  };
}

function evictionsOf(pod: PodRecord, { hints }: ClusterContext): readonly EvictionObserved[] {
  const target = { kind: "Pod", namespace: pod.created?.namespace ?? "", name: podName(pod) };
  const known = (hints.get(hintKey(target)) ?? []).filter((hint) => hint.kind === "EvictionObserved");
  return known.filter((hint) => hint.target.uid === pod.uid);
}

interface ActiveRequest {
  readonly requester: string;
  readonly fact: EvictionObserved;
}

/** In the order of the observations. An Eviction may still name a requester that has withdrawn its EvictionRequest. */
function activeRequests(observed: readonly EvictionObserved[], end: Order): readonly ActiveRequest[] {
  const states = statesAt(observed, end);
  const ofRequesters = states.filter(({ of }) => of === "EvictionRequest");
  const requesting = new Set(ofRequesters.filter(isActive).flatMap(requestersOf));
  const named = ofRequesters.flatMap(({ requesters }) => requesters.map(({ name }) => name));
  const withdrawn = new Set(named.filter((name) => !requesting.has(name)));
  return states
    .filter(isActive)
    .flatMap((fact) => requestersOf(fact).map((requester) => ({ requester, fact })))
    .filter(({ requester }) => !withdrawn.has(requester))
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
function isActive(fact: EvictionObserved): boolean {
  return fact.deleted !== true && !isTrue(fact.conditions, "Failed") && requestersOf(fact).length > 0;
}

/** Those that have not withdrawn. */
function requestersOf({ requesters }: EvictionObserved): readonly string[] {
  return requesters.filter(({ intent }) => intent === "Eviction").map(({ name }) => name);
}

function isTrue(conditions: EvictionObserved["conditions"], type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}
