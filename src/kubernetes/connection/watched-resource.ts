/** The watched resources, each on a stream of its own, by the plural name of URLs and RBAC rules. */
export type WatchedResource = "jobs" | "pods" | "cronjobs" | "nodes" | "events";

/** One resource as the API serves it. */
export interface ResourceKind {
  readonly resource: WatchedResource;
  readonly kind: string;
  /** The API group as RBAC rules name it: "" is the core group. */
  readonly apiGroup: string;
  /** The API versions that serve the resource, the preferred one first. */
  readonly apiVersions: readonly [string, ...string[]];
  readonly isNamespaced: boolean;
}

const KINDS: { readonly [Resource in WatchedResource]: Omit<ResourceKind, "resource"> } = {
  jobs: { kind: "Job", apiGroup: "batch", apiVersions: ["batch/v1"], isNamespaced: true },
  pods: { kind: "Pod", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
  // Kubernetes 1.20 has no batch/v1 of CronJobs.
  cronjobs: { kind: "CronJob", apiGroup: "batch", apiVersions: ["batch/v1", "batch/v1beta1"], isNamespaced: true },
  nodes: { kind: "Node", apiGroup: "", apiVersions: ["v1"], isNamespaced: false },
  events: { kind: "Event", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
};

export const RESOURCE_KINDS: readonly ResourceKind[] = (["jobs", "pods", "cronjobs", "nodes", "events"] as const).map(
  kindOf,
);

export function kindOf(resource: WatchedResource): ResourceKind {
  return { resource, ...KINDS[resource] };
}
