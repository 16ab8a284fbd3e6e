import type { Attribution } from "../../explain/answer-document.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import { durationText } from "../../text/duration-text.ts";
import { instantOf } from "../model/fact-instant.ts";
import { podFactRef } from "../model/fact-ref.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { firstEnd } from "../model/outcome.ts";
import { disrupted } from "./pod-deletion-by-disruption.ts";
import {
  endedByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  suspended,
} from "./pod-deletion-by-job.ts";
import { nodeGone, nodeUnready, taintEvent } from "./pod-deletion-by-node.ts";
import { byRequest, podInitiator } from "./pod-deletion-by-request.ts";
import { endedBefore, type PodDeletionCase, type PodDeletionCause } from "./pod-deletion-case.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * Who took a Pod away, and why: by the audit log where it tells, else by what the Pod, its Job and its node show (job-semantics 13).
 * `undefined` while nobody asked for the Pod to go, and where it merely vanished and nothing tells how.
 */
export function attributePodDeletion(
  pod: PodRecord,
  job: JobObject,
  clusterContext: ClusterContext,
): Attribution | undefined {
  const asked = pod.deletionRequested ?? pod.deleted;
  const initiator = podInitiator(pod, clusterContext);
  if (asked === undefined) return initiator && byRequest(initiator, undefined, []);
  const at = instantOf(asked);
  const hadEnded = endedBefore(pod, asked);
  const evidence = podFactRef(pod, asked, askedText(pod, at, hadEnded));
  const deletion = { pod, job, clusterContext, asked, at, hadEnded, evidence };
  const inferred = firstOf(CAUSES, deletion);
  return initiator === undefined ? inferred : byRequest(initiator, inferred, [evidence]);
}

/**
 * In this order: the first that fits is named. What names the Pod itself comes first, then what happened to its Job, then to its node.
 * The Job controller's own Event says who, but not why: a suspension or a verdict of that time comes before it.
 */
const CAUSES: readonly PodDeletionCause[] = [
  disrupted,
  taintEvent,
  suspended,
  endedByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  nodeGone,
  nodeUnready,
  terminatedPodGc,
  unknownRequest,
];

function firstOf(causes: readonly PodDeletionCause[], deletion: PodDeletionCase): Attribution | undefined {
  for (const cause of causes) {
    const attribution = cause(deletion);
    if (attribution !== undefined) return attribution;
  }
  return undefined;
}

/** A Pod that had ended, while its Job stays: no other controller has a reason to delete it, though anybody may. */
function terminatedPodGc({ hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  if (!hadEnded) return undefined;
  const cause = "there were more terminated Pods in the cluster than --terminated-pod-gc-threshold allows";
  return { actor: "pod-garbage-collector", cause, confidence: "possible", evidence: [evidence] };
}

function unknownRequest({ evidence }: PodDeletionCase): Attribution {
  const cause = "a person or a program asked for it: no controller's reason fits, and no audit event tells who";
  return { actor: "unknown", cause, confidence: "possible", evidence: [evidence] };
}

function askedText(pod: PodRecord, at: Instant, hadEnded: boolean): string {
  const phase = firstEnd(pod)?.phase;
  const end = endedAt(pod);
  if (!hadEnded || phase === undefined || end === undefined) return "was asked to go before it had ended";
  const word = phase === "Succeeded" ? "succeeded" : "failed";
  return `was asked to go ${durationText(at - end)} after it had ${word}`;
}
