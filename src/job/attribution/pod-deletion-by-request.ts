import type { ClusterContext } from "../model/cluster-context.ts";
import { clusterEvidence, type Evidence, podName } from "../model/evidence.ts";
import type { RequestHinted } from "../model/fact.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Attribution, DeletionCause, DeletionShows } from "./attribution.ts";
import { actorOf, firstDeletionRequest } from "./deletion-request.ts";

/** The request that deleted the Pod, if the audit log has it. */
export function podDeletionRequest(pod: PodRecord, clusterContext: ClusterContext): RequestHinted | undefined {
  const requestedAt = pod.deletionRequested?.requestedAt;
  const deleted = {
    target: { kind: "Pod" as const, namespace: pod.created?.namespace ?? "", name: podName(pod) },
    uid: pod.uid,
    from: pod.created?.createdAt ?? 0,
    ...(requestedAt !== undefined && { to: requestedAt }),
  };
  return firstDeletionRequest(deleted, clusterContext);
}

/** What the observations of the Pod show about its deletion. */
export interface ObservedDeletion {
  readonly inferred?: Attribution;
  /** The Pod had ended before. */
  readonly hadEnded: boolean;
  readonly evidence: readonly Evidence<DeletionShows>[];
}

/** Causes of evictions whose caller the audit log names. */
const EVICTIONS: ReadonlySet<DeletionCause["cause"]> = new Set(["evicted", "evictionRequested", "nodeLifecycle"]);

/** The audit log names the actor. The inferred cause stays if it agrees. */
export function byRequest(request: RequestHinted, { inferred, hadEnded, evidence }: ObservedDeletion): Attribution {
  const { user, target } = request;
  const actor = actorOf(user);
  const evicted = request.subresource === "eviction";
  const shows = { what: "deletedByRequest", user, evicted } as const;
  const shown = clusterEvidence(request, { kind: "pod", name: target.name }, shows);
  if (inferred !== undefined && (inferred.actor === actor || (evicted && EVICTIONS.has(inferred.cause.cause)))) {
    return { actor, cause: inferred.cause, confidence: "certain", evidence: [...inferred.evidence, shown] };
  }
  const cause: DeletionCause =
    hadEnded && actor === "pod-garbage-collector"
      ? { cause: "tooManyTerminatedPods" }
      : { cause: "request", object: "Pod", user, evicted };
  return { actor, cause, confidence: "certain", evidence: [...evidence, shown] };
}
