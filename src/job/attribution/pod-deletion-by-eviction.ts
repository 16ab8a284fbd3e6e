import { clusterEvidence, podEvidence, podName } from "../model/evidence.ts";
import type { NodeLifecycleType } from "../model/fact.ts";
import { type NodeLifecycleAt, nodeLifecycleAt } from "./node-lifecycle.ts";
import type { Attribution } from "./attribution.ts";
import { isDisruptedBefore } from "./pod-deletion-by-disruption.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";
import { type RequestedEviction, requestedEviction } from "./requested-eviction.ts";

/** Evicted through the eviction API while an eviction was requested: the condition does not name the caller. */
export function evictedOnRequest(known: PodDeletionCase): Attribution | undefined {
  const request = isEvicted(known) ? requestedEviction(known.pod, known.clusterContext) : undefined;
  return request && onRequest(request, known, request.isConfirmed ? "certain" : "likely");
}

/** Deleted without a condition while an eviction was requested: a responder may delete the Pod itself. */
export function deletedOnRequest(known: PodDeletionCase): Attribution | undefined {
  const { pod, hadEnded, clusterContext } = known;
  const request = hadEnded || pod.disrupted !== undefined ? undefined : requestedEviction(pod, clusterContext);
  return request && onRequest(request, known, request.isConfirmed ? "likely" : "possible");
}

/** Evicted through the eviction API while its node was drained or maintained. */
export function evictedInLifecycle(known: PodDeletionCase): Attribution | undefined {
  const found = isEvicted(known) ? lifecycleOf(known) : undefined;
  return found && { ...inLifecycle(found, known, true), actor: "eviction-api", confidence: "likely" };
}

/** A drain that is over, or maintenance that is only planned, does not explain why an unknown client deleted a Pod. */
const IN_PROGRESS: ReadonlySet<NodeLifecycleType> = new Set([
  "GracefulNodeShutdownInProgress",
  "DrainInProgress",
  "MaintenanceInProgress",
]);

/** Deleted by an unknown client while its node was drained, maintained or shut down. */
export function deletedInLifecycle(known: PodDeletionCase): Attribution | undefined {
  const { pod, hadEnded } = known;
  const found = hadEnded || pod.disrupted !== undefined ? undefined : lifecycleOf(known);
  if (found === undefined || !IN_PROGRESS.has(found.state.type)) return undefined;
  return { ...inLifecycle(found, known, false), actor: "unknown", confidence: "possible" };
}

function isEvicted({ pod, deletion }: PodDeletionCase): boolean {
  return pod.disrupted?.reason === "EvictionByEvictionAPI" && isDisruptedBefore(pod, deletion);
}

function lifecycleOf({ pod, at, clusterContext }: PodDeletionCase): NodeLifecycleAt | undefined {
  return nodeLifecycleAt(pod.scheduled?.node, at, clusterContext);
}

function onRequest(
  { requesters, fact }: RequestedEviction,
  { pod, evidence }: PodDeletionCase,
  confidence: Attribution["confidence"],
): Attribution {
  const shown = clusterEvidence(fact, { kind: "pod", name: podName(pod) }, { what: "evictionRequested", requesters });
  const cause = { cause: "evictionRequested", requesters } as const;
  const actor = requesters.join(", ");
  return { actor, cause, confidence, evidence: [shown, ...disruption(pod), evidence] };
}

function inLifecycle(
  { fact, state: { type } }: NodeLifecycleAt,
  { pod, evidence }: PodDeletionCase,
  evicted: boolean,
): Pick<Attribution, "cause" | "evidence"> {
  const shown = clusterEvidence(fact, { kind: "node", name: fact.node }, { what: "nodeLifecycle", type });
  const cause = { cause: "nodeLifecycle", type, evicted } as const;
  return { cause, evidence: [shown, ...disruption(pod), evidence] };
}

function disruption(pod: PodDeletionCase["pod"]): Attribution["evidence"] {
  const { disrupted } = pod;
  if (disrupted === undefined) return [];
  return [podEvidence(pod, disrupted, { shows: { what: "disruptionTarget", reason: disrupted.reason } })];
}
