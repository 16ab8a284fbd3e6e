import type { Attribution } from "../../explain/answer-document.ts";
import { hintKey } from "../model/cluster-record.ts";
import type { EventHinted } from "../model/fact.ts";
import { clusterFactRef } from "../model/fact-ref.ts";
import type { Instant } from "../model/instant.ts";
import { goneBy, standText, unreadyBetween } from "../model/node-readiness.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The taint manager and the Job controller are the only deleters that send core Events (measured). */
export function taintEvent({ pod, at, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const { namespace = "", name = "" } = pod.created ?? {};
  const hints = clusterContext.hints.get(hintKey({ kind: "Pod", namespace, name })) ?? [];
  const event = hints.find((hint) => hint.kind === "EventHinted" && isTaintEviction(hint, pod, at));
  if (event === undefined) return undefined;
  const ref = clusterFactRef(event, `pod/${name}`, "was marked for deletion by the taint manager");
  const cause = "it did not tolerate a NoExecute taint of its node";
  return { actor: "node-controller", cause, confidence: "likely", evidence: [ref, evidence] };
}

/** The event is sent before the deletion; under the same reason the taint manager says that it thought better of it ("Cancelling deletion"). */
function isTaintEviction({ reason, message, target, firstAt }: EventHinted, pod: PodRecord, at: Instant): boolean {
  if (reason !== "TaintManagerEviction" || message?.startsWith("Cancelling") === true) return false;
  return firstAt <= at && (target.uid === undefined || target.uid === pod.uid);
}

export function nodeGone({ pod, at, hadEnded, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const gone = hadEnded ? undefined : goneBy(pod.scheduled?.node, at, clusterContext);
  // Pod GC leaves no grace: nobody is there to use it.
  if (gone === undefined || (pod.deletionRequested?.graceSeconds ?? 0) > 0) return undefined;
  const ref = clusterFactRef(gone, `node/${gone.node}`, "was gone");
  const confidence = withoutCondition(pod);
  return { actor: "pod-garbage-collector", cause: "its node is gone", confidence, evidence: [ref, evidence] };
}

export function nodeUnready({ pod, at, hadEnded, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const stand = hadEnded ? undefined : unreadyBetween(pod.scheduled?.node, at, at, clusterContext);
  // Where the taint manager's condition came after the deletion, somebody was faster.
  if (stand === undefined || pod.disrupted !== undefined) return undefined;
  const ref = clusterFactRef(stand, `node/${stand.node}`, `was ${standText(stand)}`);
  const cause = `its node was ${standText(stand)} for longer than it tolerates`;
  return { actor: "node-controller", cause, confidence: withoutCondition(pod), evidence: [ref, evidence] };
}

/** Servers that count by finalizer for good (1.26 and later) also write DisruptionTarget before they take a Pod away: without it they hardly did. */
function withoutCondition(pod: PodRecord): Attribution["confidence"] {
  return pod.tracked === undefined ? "likely" : "possible";
}
