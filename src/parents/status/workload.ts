import type { ParentCondition } from "../../job/model/fact.ts";
import type { WatchedStatus } from "./watched-status.ts";

/** `Preempted to accommodate a workload (UID: ..., JobUID: ...) due to prioritization in the ClusterQueue`. */
const PREEMPTOR = /\(UID: ([0-9a-f-]{36})(?:, JobUID: ([0-9a-f-]{36}))?/;
/** `insufficient unused quota for cpu in flavor default-flavor, 2 more needed`. */
const QUOTA = /(?:quota|capacity) for ([a-z0-9./-]{1,253}) in flavor ([a-z0-9.-]{1,253})/;
/** `... previously considered podsets requests (0) + current podset request (3) > maximum capacity (2)`. */
const EXCEEDS = /> maximum capacity/;
/** `LocalQueue main doesn't exist`, `ClusterQueue main is inactive`. */
const MISSING = /^(LocalQueue|ClusterQueue) \S{1,253} (?:doesn't exist|is (inactive))/;
/** `topology "default" doesn't allow to fit any of 2 pod(s)`. */
const TOPOLOGY = /topology "([a-z0-9.-]{1,253})" (?:doesn't allow|allows)/;

/** kueue.x-k8s.io (Kueue 0.19, apis/kueue/v1beta2/workload_types.go). It belongs to what it admits. */
export const WORKLOAD: WatchedStatus = {
  kind: "Workload",
  resource: "workloads.kueue.x-k8s.io",
  apiVersions: ["kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"],
  fields: { queueName: "spec.queueName", clusterQueue: "status.admission.clusterQueue" },
  details,
  attempt: () => undefined,
  jobsBy: "number",
  state: () => undefined,
  attemptState: () => undefined,
};

function details({ type, message }: { readonly type: string; readonly message: string }): ParentCondition["details"] {
  if (type === "Evicted" || type === "Preempted") {
    const [, workloadUid, jobUid] = PREEMPTOR.exec(message) ?? [];
    if (workloadUid === undefined) return undefined;
    return { workloadUid, ...(jobUid !== undefined && { jobUid }) };
  }
  return missingIn(message);
}

function missingIn(message: string): ParentCondition["details"] {
  const [, queue, inactive] = MISSING.exec(message) ?? [];
  if (queue !== undefined) return inactive === undefined ? { missing: queue } : { inactive: queue };
  const [, topology] = TOPOLOGY.exec(message) ?? [];
  return topology === undefined ? quotaIn(message) : { topology };
}

function quotaIn(message: string): ParentCondition["details"] {
  const [, resource, flavor] = QUOTA.exec(message) ?? [];
  if (resource === undefined || flavor === undefined) return undefined;
  return { resource, flavor, ...(EXCEEDS.test(message) && { exceeds: "quota" }) };
}
