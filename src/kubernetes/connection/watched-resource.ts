/** What is watched, each on a stream of its own, by the plural that URLs and RBAC rules call it. */
export type WatchedResource = "jobs" | "pods" | "cronjobs" | "nodes" | "events";

/** One resource as the API serves it. */
export interface ResourceKind {
  readonly resource: WatchedResource;
  readonly kind: string;
  /** As RBAC rules name it: "" is the core group. */
  readonly apiGroup: string;
  /** Where it is served, the preferred version first. 1.20 serves CronJobs as batch/v1beta1 only. */
  readonly apiVersions: readonly [string, ...string[]];
  readonly isNamespaced: boolean;
}

const KINDS: { readonly [Resource in WatchedResource]: Omit<ResourceKind, "resource"> } = {
  jobs: { kind: "Job", apiGroup: "batch", apiVersions: ["batch/v1"], isNamespaced: true },
  pods: { kind: "Pod", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
  cronjobs: { kind: "CronJob", apiGroup: "batch", apiVersions: ["batch/v1", "batch/v1beta1"], isNamespaced: true },
  nodes: { kind: "Node", apiGroup: "", apiVersions: ["v1"], isNamespaced: false },
  events: { kind: "Event", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
};

const WATCHED_RESOURCES: readonly WatchedResource[] = ["jobs", "pods", "cronjobs", "nodes", "events"];

export const RESOURCE_KINDS: readonly ResourceKind[] = WATCHED_RESOURCES.map(kindOf);

export function kindOf(resource: WatchedResource): ResourceKind {
  return { resource, ...KINDS[resource] };
}
