import type { Attribution, FactRef } from "../../explain/answer-document.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import { actorOf, initiatorOf } from "./deletion-request.ts";
import type { RequestHinted } from "../model/fact.ts";
import { clusterFactRef, podName } from "../model/fact-ref.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The request that had the Pod go, where the audit log tells. */
export function podInitiator(pod: PodRecord, clusterContext: ClusterContext): RequestHinted | undefined {
  const requestedAt = pod.deletionRequested?.requestedAt;
  const sought = {
    target: { kind: "Pod" as const, namespace: pod.created?.namespace ?? "", name: podName(pod) },
    uid: pod.uid,
    from: pod.created?.createdAt ?? 0,
    ...(requestedAt !== undefined && { to: requestedAt }),
  };
  return initiatorOf(sought, clusterContext);
}

/** The audit log names who asked; the reason stays the inferred one where the two agree. */
export function byRequest(
  initiator: RequestHinted,
  inferred: Attribution | undefined,
  evidence: readonly FactRef[],
): Attribution {
  const actor = actorOf(initiator.user);
  const evicted = initiator.subresource === "eviction";
  const ref = clusterFactRef(
    initiator,
    `pod/${initiator.target.name}`,
    `was ${evicted ? "evicted" : "deleted"} by a request of ${initiator.user}`,
  );
  const agrees = inferred !== undefined && (inferred.actor === actor || (evicted && inferred.actor === "eviction-api"));
  const cause = agrees ? inferred.cause : (REASONS.get(actor) ?? requestCause(initiator.user, evicted));
  return { actor, cause, confidence: "certain", evidence: [...(agrees ? inferred.evidence : evidence), ref] };
}

/** What a controller deletes Pods for, where nothing else was seen. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["pod-garbage-collector", "Pod garbage collection: too many terminated Pods, or a lost node"],
  ["job-controller", "the Job controller did not want it any more"],
  ["generic-garbage-collector", "its owner was deleted"],
  ["node-controller", "it did not tolerate a NoExecute taint of its node"],
  ["taint-eviction-controller", "it did not tolerate a NoExecute taint of its node"],
  ["kube-scheduler", "it was preempted for a Pod of higher priority"],
]);

function requestCause(user: string, evicted: boolean): string {
  return evicted ? `${user} evicted it` : `${user} deleted it`;
}
