/** What is watched, each on a stream of its own, by the plural that URLs and RBAC rules call it. */
export type WatchedResource = "jobs" | "pods" | "cronjobs" | "nodes" | "events";

/** One resource as the API serves it. */
export interface ResourceKind {
  readonly resource: WatchedResource;
  readonly kind: string;
  /** As RBAC rules name it: "" is the core group. */
  readonly apiGroup: string;
  /** Where it is served, the preferred version first. 1.20 serves CronJobs as batch/v1beta1 only. */
  readonly apiVersions: readonly string[];
  readonly isNamespaced: boolean;
}

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  { resource: "jobs", kind: "Job", apiGroup: "batch", apiVersions: ["batch/v1"], isNamespaced: true },
  { resource: "pods", kind: "Pod", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
  {
    resource: "cronjobs",
    kind: "CronJob",
    apiGroup: "batch",
    apiVersions: ["batch/v1", "batch/v1beta1"],
    isNamespaced: true,
  },
  { resource: "nodes", kind: "Node", apiGroup: "", apiVersions: ["v1"], isNamespaced: false },
  { resource: "events", kind: "Event", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
];
