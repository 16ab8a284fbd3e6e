import type { JobRecord } from "./job-record.ts";
import type { PodUid } from "./ids.ts";
import type { PodRecord } from "./pod-record.ts";

/**
 * Whether a Pod whose owner has the Job's uid belongs to the Job: only if it is in the Job's namespace (job-semantics
 * 11). Otherwise a client that can create Pods in another namespace could complete the Job. If one of the namespaces is
 * not known, the Pod counts as the Job's.
 */
export function isOwnPod({ created }: PodRecord, namespace: string | undefined): boolean {
  return namespace === undefined || created === undefined || created.namespace === namespace;
}

/** The Pods of a record that belong to the Job. */
export function ownPods({ job, pods }: JobRecord): ReadonlyMap<PodUid, PodRecord> {
  const namespace = job.created?.namespace;
  const foreign = [...pods.values()].some((pod) => !isOwnPod(pod, namespace));
  return foreign ? new Map([...pods].filter(([, pod]) => isOwnPod(pod, namespace))) : pods;
}
