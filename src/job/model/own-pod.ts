import type { JobRecord } from "./job-record.ts";
import type { PodUid } from "./ids.ts";
import type { PodRecord } from "./pod-record.ts";

/**
 * Whether a Pod whose controller has the Job's uid is the Job's: only within its namespace (job-semantics 11). Who may make Pods anywhere can write any owner
 * into them, and must not complete a Job that lives elsewhere. While either's namespace is not known the Pod is taken for the Job's.
 */
export function isOwnPod({ created }: PodRecord, namespace: string | undefined): boolean {
  return namespace === undefined || created === undefined || created.namespace === namespace;
}

/** The Pods of a record that are the Job's. */
export function ownPods({ job, pods }: JobRecord): ReadonlyMap<PodUid, PodRecord> {
  const namespace = job.created?.namespace;
  const foreign = [...pods.values()].some((pod) => !isOwnPod(pod, namespace));
  return foreign ? new Map([...pods].filter(([, pod]) => isOwnPod(pod, namespace))) : pods;
}
