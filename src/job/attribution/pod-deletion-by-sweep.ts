import { clusterEvidence, podName } from "../model/evidence.ts";
import type { Attribution } from "./attribution.ts";
import type { PodDeletionCase } from "./pod-deletion-case.ts";
import { sweepsAround } from "./pod-gc-record.ts";

/** The Pod had ended, and Pod GC was deleting ended Pods of many Jobs around that time. */
export function sweptByPodGc({
  pod,
  at,
  hadEnded,
  clusterContext,
  evidence,
}: PodDeletionCase): Attribution | undefined {
  const sweeps = hadEnded ? sweepsAround(at, clusterContext) : undefined;
  if (sweeps === undefined || (pod.deletionRequested?.graceSeconds ?? 0) > 0) return undefined;
  const shows = { what: "podGcSweeps", sweeps: sweeps.count } as const;
  const shown = clusterEvidence(sweeps, { kind: "pod", name: podName(pod) }, shows);
  const cause = { cause: "tooManyTerminatedPods" } as const;
  return { actor: "pod-garbage-collector", cause, confidence: "likely", evidence: [evidence, shown] };
}
