import { WATCHED_STATUSES } from "../../parents/status/statuses.ts";
import { EVICTION_API_VERSIONS } from "../evictions/translate-eviction.ts";
import type { CustomResource, WatchedStatus } from "../../parents/status/watched-status.ts";

/** The watched resources, each on a stream of its own: the plural name, for an optional one with its group. */
export type WatchedResource = BuiltInResource | CustomResource;
/** The resources that every cluster serves. */
export type BuiltInResource = "jobs" | "pods" | "cronjobs" | "nodes" | "namespaces" | "events";

/** One resource as the API serves it. */
export interface ResourceKind {
  readonly resource: WatchedResource;
  /** The plural name of URLs and RBAC rules. */
  readonly plural: string;
  readonly kind: string;
  /** The API group as RBAC rules name it: "" is the core group. */
  readonly apiGroup: string;
  /** The API versions that serve the resource, the preferred one first. */
  readonly apiVersions: readonly [string, ...string[]];
  readonly isNamespaced: boolean;
  /** A cluster may lack it, and gain or lose it while it is watched. */
  readonly isCustom: boolean;
  /** Answers about Jobs do not need it. Without permission, it is not watched, which is no gap. */
  readonly isOptional: boolean;
  /** Only `metadata` of its objects is requested. */
  readonly isMetadataOnly: boolean;
}

type BuiltIn = Pick<ResourceKind, "kind" | "apiGroup" | "apiVersions" | "isNamespaced"> &
  Partial<Pick<ResourceKind, "isOptional" | "isMetadataOnly">>;

const BUILT_IN: { readonly [Resource in BuiltInResource]: BuiltIn } = {
  jobs: { kind: "Job", apiGroup: "batch", apiVersions: ["batch/v1"], isNamespaced: true },
  pods: { kind: "Pod", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
  // Kubernetes 1.20 has no batch/v1 of CronJobs.
  cronjobs: { kind: "CronJob", apiGroup: "batch", apiVersions: ["batch/v1", "batch/v1beta1"], isNamespaced: true },
  nodes: { kind: "Node", apiGroup: "", apiVersions: ["v1"], isNamespaced: false },
  namespaces: {
    kind: "Namespace",
    apiGroup: "",
    apiVersions: ["v1"],
    isNamespaced: false,
    isOptional: true,
    isMetadataOnly: true,
  },
  events: { kind: "Event", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
};

type Custom = Pick<WatchedStatus, "resource" | "kind" | "apiVersions">;

/** Requests to evict Pods (KEP-4563). Kubernetes serves them where the API group is enabled. */
const EVICTIONS: readonly Custom[] = [
  { resource: "evictionrequests.lifecycle.k8s.io", kind: "EvictionRequest", apiVersions: EVICTION_API_VERSIONS },
  { resource: "evictions.lifecycle.k8s.io", kind: "Eviction", apiVersions: EVICTION_API_VERSIONS },
];

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  ...(["jobs", "pods", "cronjobs", "nodes", "namespaces", "events"] as const).map(builtIn),
  ...[...WATCHED_STATUSES, ...EVICTIONS].map(custom),
];

const BY_RESOURCE: ReadonlyMap<WatchedResource, ResourceKind> = new Map(
  RESOURCE_KINDS.map((kind) => [kind.resource, kind]),
);

/** Throws for a resource that is not watched. */
export function kindOf(resource: WatchedResource): ResourceKind {
  const kind = BY_RESOURCE.get(resource);
  if (kind === undefined) throw new Error(`Resource ${resource} is not watched.`);
  return kind;
}

export function isCustom(resource: WatchedResource): resource is CustomResource {
  return !Object.hasOwn(BUILT_IN, resource);
}

function builtIn(resource: BuiltInResource): ResourceKind {
  const flags = { isCustom: false, isOptional: false, isMetadataOnly: false };
  return { resource, plural: resource, ...flags, ...BUILT_IN[resource] };
}

function custom({ resource, kind, apiVersions }: Custom): ResourceKind {
  const [plural = "", ...group] = resource.split(".");
  const flags = { isNamespaced: true, isCustom: true, isOptional: true, isMetadataOnly: false };
  return { resource, plural, kind, apiGroup: group.join("."), apiVersions, ...flags };
}
