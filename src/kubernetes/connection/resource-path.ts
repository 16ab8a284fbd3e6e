import type { ResourceVersion } from "../../job/model/order.ts";
import type { ResourceKind } from "./watched-resource.ts";

/** A resource in one version of its API, in one namespace or in all. */
export interface ResourcePlace {
  readonly kind: ResourceKind;
  readonly apiVersion: string;
  readonly namespace?: string;
}

/** As many items as client-go asks for at a time. */
const PAGE_ITEMS = 500;

type Query = Readonly<Record<string, string | number>>;

/** One page of a list. Without a `limit` the list is one consistent answer, however large. */
export function listPath(
  place: ResourcePlace,
  { isWhole, token }: { readonly isWhole: boolean; readonly token: string | undefined },
): string {
  return pathOf(place, {
    ...(!isWhole && { limit: PAGE_ITEMS }),
    ...(token !== undefined && { continue: token }),
  });
}

/**
 * The smallest list there is. Without `resourceVersion` it is answered from the latest state there is (a quorum read), so that its resourceVersion is
 * never behind one that was seen before, unless etcd was restored.
 */
export function probePath(place: ResourcePlace): string {
  return pathOf(place, { limit: 1 });
}

/** Changes after `resourceVersion`. `seconds`: when the server is to end it, as it does by itself after half an hour to an hour. */
export function watchPath(place: ResourcePlace, resourceVersion: ResourceVersion, seconds: number): string {
  return pathOf(place, { watch: 1, allowWatchBookmarks: "true", resourceVersion, timeoutSeconds: seconds });
}

/** A list as a stream that goes on as a watch (KEP-3157; beta and on in 1.32, 1.34 and later). */
export function streamingListPath(place: ResourcePlace, seconds: number): string {
  return pathOf(place, {
    watch: 1,
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    timeoutSeconds: seconds,
  });
}

function pathOf({ kind, apiVersion, namespace }: ResourcePlace, query: Query): string {
  const api = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = kind.isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const text = Object.entries(query).map(([field, value]) => `${field}=${encodeURIComponent(value)}`);
  return `${api}${scope}/${kind.resource}${text.length === 0 ? "" : `?${text.join("&")}`}`;
}
