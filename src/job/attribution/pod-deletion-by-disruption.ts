import { podEvidence } from "../model/evidence.ts";
import type { PodDeleted, PodDeletionRequested, PodDisrupted } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import { compareOrder } from "../model/order.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Attribution, DeletionCause } from "./attribution.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";

/**
 * Which component writes which DisruptionTarget reason before it deletes a Pod (KEP-3329). The kubelet's reason is not
 * included: the kubelet ends Pods and does not delete them.
 */
const DISRUPTIONS: ReadonlyMap<string, { readonly actor: string; readonly cause: DeletionCause }> = new Map([
  ["DeletionByPodGC", { actor: "pod-garbage-collector", cause: { cause: "nodeGoneOrOutOfService" } }],
  ["DeletionByTaintManager", { actor: "node-controller", cause: { cause: "taint" } }],
  // KEP-5055: the controller's name in kube-controller-manager.
  ["DeletionByDeviceTaintManager", { actor: "device-taint-eviction-controller", cause: { cause: "deviceTaint" } }],
  ["EvictionByEvictionAPI", { actor: "eviction-api", cause: { cause: "evicted" } }],
  ["PreemptionByScheduler", { actor: "kube-scheduler", cause: { cause: "preempted" } }],
  ["PreemptionByKubeScheduler", { actor: "kube-scheduler", cause: { cause: "preempted" } }],
]);
/** Components that write the condition delete the Pod immediately afterwards. */
const DISRUPTION_MS = 10_000;
/** A condition whose deletion failed is cleared after about two minutes. An older condition may have another reason. */
const STALE_DISRUPTION_MS = 120_000;

/** By the condition DisruptionTarget of the Pod. */
export function disrupted(known: PodDeletionCase): Attribution | undefined {
  const { pod, deletion, evidence } = known;
  const { disrupted: disruption } = pod;
  const writer = disruption === undefined ? undefined : DISRUPTIONS.get(disruption.reason);
  if (disruption === undefined || writer === undefined || !isDisruptedBefore(pod, deletion)) return undefined;
  const shown = podEvidence(pod, disruption, { shows: { what: "disruptionTarget", reason: disruption.reason } });
  return { ...writer, confidence: confidenceIn(disruption, known), evidence: [shown, evidence] };
}

/**
 * Whether another component than the Job controller announced the deletion. A condition that was written after the
 * deletion request did not cause it.
 */
export function isDisruptedBefore(
  { disrupted: disruption }: PodRecord,
  deletion: PodDeletionRequested | PodDeleted,
): boolean {
  return disruption !== undefined && DISRUPTIONS.has(disruption.reason) && compareOrder(disruption, deletion) <= 0;
}

function confidenceIn(disruption: PodDisrupted, { deletion, at }: PodDeletionCase): Attribution["confidence"] {
  const age = at - instantOf(disruption);
  if (age > STALE_DISRUPTION_MS) return "possible";
  // If both were first observed together, their order is unknown. The condition does not name the caller of the
  // eviction API.
  const isFirst = compareOrder(disruption, deletion) < 0;
  return isFirst && age <= DISRUPTION_MS && disruption.reason !== "EvictionByEvictionAPI" ? "certain" : "likely";
}
