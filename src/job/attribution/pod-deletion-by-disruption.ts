import type { Attribution } from "../../explain/answer-document.ts";
import type { PodDisrupted } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import { podFactRef } from "../model/fact-ref.ts";
import type { Instant } from "../model/instant.ts";
import { compareOrder, type Order } from "../model/order.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";

/** Who writes which DisruptionTarget before it deletes (KEP-3329). The kubelet's own is no deletion: it ends the Pod and leaves it. */
const DISRUPTIONS: ReadonlyMap<string, readonly [actor: string, cause: string]> = new Map([
  ["DeletionByPodGC", ["pod-garbage-collector", "its node is gone or out of service"]],
  ["DeletionByTaintManager", ["node-controller", "it did not tolerate a NoExecute taint of its node"]],
  [
    "EvictionByEvictionAPI",
    ["eviction-api", "it was evicted through the eviction API, as a drain or an autoscaler does"],
  ],
  ["PreemptionByScheduler", ["kube-scheduler", "it was preempted for a Pod of higher priority"]],
  ["PreemptionByKubeScheduler", ["kube-scheduler", "it was preempted for a Pod of higher priority"]],
]);
/** They write the condition and delete at once, as fast as the API server lets them. */
const DISRUPTION_MS = 10_000;
/** A condition whose deletion failed is cleared after about two minutes: an older one may be about something else. */
const STALE_DISRUPTION_MS = 120_000;

/** By a condition DisruptionTarget on the Pod itself. */
export function disrupted({ pod, asked, at, evidence }: PodDeletionCase): Attribution | undefined {
  const { disrupted: disruption } = pod;
  const known = disruption === undefined ? undefined : DISRUPTIONS.get(disruption.reason);
  // Who writes the condition after somebody else had asked for the Pod to go came too late.
  if (disruption === undefined || known === undefined || compareOrder(disruption, asked) > 0) return undefined;
  const [actor, cause] = known;
  const ref = podFactRef(pod, disruption, `was marked as DisruptionTarget: ${disruption.reason}`);
  return { actor, cause, confidence: disruptionConfidence(disruption, asked, at), evidence: [ref, evidence] };
}

function disruptionConfidence(disruption: PodDisrupted, asked: Order, at: Instant): Attribution["confidence"] {
  const age = at - instantOf(disruption);
  if (age > STALE_DISRUPTION_MS) return "possible";
  // Seen at once, nobody can tell which was first; and the condition does not name who called the eviction API: only the way is certain then.
  const isFirst = compareOrder(disruption, asked) < 0;
  return isFirst && age <= DISRUPTION_MS && disruption.reason !== "EvictionByEvictionAPI" ? "certain" : "likely";
}
