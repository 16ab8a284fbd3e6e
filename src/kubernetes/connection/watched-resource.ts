import {
  WATCHED_KINDS,
  KIND_OF_RESOURCE,
  type WatchedKind,
  type ParentResource,
  WATCHED_PARENTS,
} from "../../parents/parents.ts";

/** The watched resources, each on a stream of its own, by the plural name of URLs and RBAC rules. */
export type WatchedResource = OwnResource | ParentResource;
type OwnResource = "jobs" | "pods" | "nodes" | "events";

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

const KINDS: { readonly [Resource in OwnResource]: Omit<ResourceKind, "resource"> } = {
  jobs: { kind: "Job", apiGroup: "batch", apiVersions: ["batch/v1"], isNamespaced: true },
  pods: { kind: "Pod", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
  nodes: { kind: "Node", apiGroup: "", apiVersions: ["v1"], isNamespaced: false },
  events: { kind: "Event", apiGroup: "", apiVersions: ["v1"], isNamespaced: true },
};

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  kindOf("jobs"),
  kindOf("pods"),
  ...WATCHED_KINDS.map(parentKind),
  kindOf("nodes"),
  kindOf("events"),
];

export function kindOf(resource: WatchedResource): ResourceKind {
  return isOfParent(resource) ? parentKind(KIND_OF_RESOURCE[resource]) : { resource, ...KINDS[resource] };
}

/** Whether the objects of a resource make or start Jobs. */
export function isOfParent(resource: WatchedResource): resource is ParentResource {
  return Object.hasOwn(KIND_OF_RESOURCE, resource);
}

function parentKind(kind: WatchedKind): ResourceKind {
  const { resource, apiGroup, apiVersions } = WATCHED_PARENTS[kind];
  return { resource, kind, apiGroup, apiVersions, isNamespaced: true };
}
