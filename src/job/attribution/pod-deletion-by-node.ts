import { hintKey } from "../model/cluster-context.ts";
import { clusterEvidence } from "../model/evidence.ts";
import type { EventHinted, NodeObserved } from "../model/fact.ts";
import { goneBy, unreadyBetween } from "../model/node-readiness.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Attribution } from "./attribution.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";

/** The taint manager and the Job controller are the only deleters that send core Events (measured). */
export function taintEvent(known: PodDeletionCase): Attribution | undefined {
  const { pod, clusterContext, evidence } = known;
  const { namespace = "", name = "" } = pod.created ?? {};
  const hints = clusterContext.hints.get(hintKey({ kind: "Pod", namespace, name })) ?? [];
  const event = hints.find((hint) => hint.kind === "EventHinted" && isTaintEviction(hint, known));
  if (event === undefined) return undefined;
  const shown = clusterEvidence(event, { kind: "pod", name }, { what: "taintManagerEvent" });
  const cause = { cause: "taint" } as const;
  return { actor: "node-controller", cause, confidence: "likely", evidence: [shown, evidence] };
}

/** The Event precedes the deletion. With the same reason, the taint manager reports "Cancelling deletion". */
function isTaintEviction({ reason, message, target, firstAt }: EventHinted, { pod, at }: PodDeletionCase): boolean {
  if (reason !== "TaintManagerEviction" || message?.startsWith("Cancelling") === true) return false;
  return firstAt <= at && (target.uid === undefined || target.uid === pod.uid);
}

export function nodeGone({ pod, at, hadEnded, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const gone = hadEnded ? undefined : goneBy(pod.scheduled?.node, at, clusterContext);
  // Pod GC deletes without a grace period.
  if (gone === undefined || (pod.deletionRequested?.graceSeconds ?? 0) > 0) return undefined;
  const shown = clusterEvidence(gone, { kind: "node", name: gone.node }, { what: "nodeGone" });
  const cause = { cause: "nodeGone" } as const;
  return {
    actor: "pod-garbage-collector",
    cause,
    confidence: withoutCondition(pod),
    evidence: [shown, evidence],
  };
}

export function nodeUnready({ pod, at, hadEnded, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const unready = hadEnded ? undefined : unreadyBetween(pod.scheduled?.node, { from: at, to: at }, clusterContext);
  // The taint manager's condition was written after the deletion, so another client deleted the Pod first.
  if (unready === undefined || pod.disrupted !== undefined) return undefined;
  const readiness = readinessOf(unready);
  const shown = clusterEvidence(unready, { kind: "node", name: unready.node }, { what: "nodeUnready", readiness });
  const cause = { cause: "nodeUnready", readiness } as const;
  return { actor: "node-controller", cause, confidence: withoutCondition(pod), evidence: [shown, evidence] };
}

function readinessOf({ ready, reason }: NodeObserved): Pick<NodeObserved, "ready" | "reason"> {
  return { ready, ...(reason !== undefined && { reason }) };
}

/**
 * Servers from 1.26 also write DisruptionTarget before they delete a Pod. Without it, they most likely did not delete
 * the Pod.
 */
function withoutCondition(pod: PodRecord): Attribution["confidence"] {
  return pod.tracked === undefined ? "likely" : "possible";
}
