import type { ResourceVersion } from "../../job/model/order.ts";
import type { ResourceKind } from "./watched-resource.ts";

/** A resource in one API version, in one namespace or in all. */
export interface ResourceLocation {
  readonly kind: ResourceKind;
  readonly apiVersion: string;
  readonly namespace?: string;
}

/** The path of the resources that the server serves in one API version. */
export function discoveryPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** The page size of client-go. */
const PAGE_ITEMS = 500;

type Query = Readonly<Record<string, string | number>>;

/** The path of one page of a list. Without `limit` the whole list comes in one consistent response. */
export function listPath(
  location: ResourceLocation,
  { isWhole, token }: { readonly isWhole: boolean; readonly token: string | undefined },
): string {
  return pathOf(location, {
    ...(!isWhole && { limit: PAGE_ITEMS }),
    ...(token !== undefined && { continue: token }),
  });
}

/**
 * The path of the smallest list. Without `resourceVersion` the server reads the latest state (a quorum read), so the
 * list's resourceVersion is never behind an earlier one, unless etcd was restored.
 */
export function probePath(location: ResourceLocation): string {
  return pathOf(location, { limit: 1 });
}

/**
 * The path of a watch after `resourceVersion`. `seconds`: when the server ends it.
 * Without it, the server ends a watch after 30 to 60 minutes.
 */
export function watchPath(location: ResourceLocation, resourceVersion: ResourceVersion, seconds: number): string {
  return pathOf(location, { watch: 1, allowWatchBookmarks: "true", resourceVersion, timeoutSeconds: seconds });
}

/** The path of a streaming list that continues as a watch (KEP-3157; beta, on by default in 1.32 and from 1.34). */
export function streamingListPath(location: ResourceLocation, seconds: number): string {
  return pathOf(location, {
    watch: 1,
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    timeoutSeconds: seconds,
  });
}

function pathOf({ kind, apiVersion, namespace }: ResourceLocation, rest: Query): string {
  // Of one namespace, its own object is enough. A rule with `resourceNames` allows this request.
  const isOne = kind.resource === "namespaces" && namespace !== undefined;
  const query = isOne ? { fieldSelector: `metadata.name=${namespace}`, ...rest } : rest;
  const scope = kind.isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const text = Object.entries(query).map(([field, value]) => `${field}=${encodeURIComponent(value)}`);
  return `${discoveryPath(apiVersion)}${scope}/${kind.plural}${text.length === 0 ? "" : `?${text.join("&")}`}`;
}
