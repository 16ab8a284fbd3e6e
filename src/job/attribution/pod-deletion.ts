import type { ClusterContext } from "../model/cluster-context.ts";
import { podEvidence } from "../model/evidence.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Attribution, DeletionShows } from "./attribution.ts";
import { disrupted } from "./pod-deletion-by-disruption.ts";
import {
  deletedInLifecycle,
  deletedOnRequest,
  evictedInLifecycle,
  evictedOnRequest,
} from "./pod-deletion-by-eviction.ts";
import {
  endedByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  suspended,
} from "./pod-deletion-by-job.ts";
import { nodeGone, nodeUnready, taintEvent } from "./pod-deletion-by-node.ts";
import { sweptByPodGc } from "./pod-deletion-by-sweep.ts";
import { byRequest, podDeletionRequest } from "./pod-deletion-by-request.ts";
import { endedBefore, type InferDeletion, type PodDeletionCase } from "./pod-deletion-case.ts";

/**
 * Who deleted a Pod, and why: from the audit log if it has the request, otherwise from what the Pod, its Job and its
 * node show (job-semantics 13). `undefined` while no deletion was observed, and if the Pod vanished without evidence.
 */
export function attributePodDeletion(
  pod: PodRecord,
  job: JobObject,
  clusterContext: ClusterContext,
): Attribution | undefined {
  const deletion = pod.deletionRequested ?? pod.deleted;
  const request = podDeletionRequest(pod, clusterContext);
  if (deletion === undefined) return request && byRequest(request, { hadEnded: false, evidence: [] });
  const at = instantOf(deletion);
  const hadEnded = endedBefore(pod, deletion);
  const evidence = podEvidence(pod, deletion, { shows: deletionShown(pod, at, hadEnded) });
  const inferred = inferDeletion({ pod, job, clusterContext, deletion, at, hadEnded, evidence });
  return request === undefined ? inferred : byRequest(request, { inferred, hadEnded, evidence: [evidence] });
}

/**
 * Pod GC deletes terminated Pods as any user may: nothing about one such Pod shows the deleter. Only the pattern over
 * many Pods does: of the cluster (pod-gc-detector.ts) or of one Job (evidence/pod-gc-sweeps.ts).
 *
 * The first match is the answer. Evidence about the Pod itself comes first, then evidence about its Job, then about its
 * node. The Job controller's Event has no reason, so a suspension or a verdict of that time comes before it.
 */
const INFERENCES: readonly InferDeletion[] = [
  evictedOnRequest,
  evictedInLifecycle,
  disrupted,
  taintEvent,
  suspended,
  endedByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  deletedOnRequest,
  nodeGone,
  nodeUnready,
  deletedInLifecycle,
  sweptByPodGc,
];

function inferDeletion(known: PodDeletionCase): Attribution {
  for (const infer of INFERENCES) {
    const attribution = infer(known);
    if (attribution !== undefined) return attribution;
  }
  return { actor: "unknown", cause: { cause: "unknown" }, confidence: "possible", evidence: [known.evidence] };
}

function deletionShown(pod: PodRecord, at: Instant, hadEnded: boolean): DeletionShows {
  const phase = firstEnd(pod)?.phase;
  const end = endedAt(pod);
  if (!hadEnded || phase === undefined || end === undefined) return { what: "podDeletion" };
  return { what: "podDeletion", endedBefore: { phase, millis: at - end } };
}
