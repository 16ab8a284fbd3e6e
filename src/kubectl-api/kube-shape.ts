import type { Instant } from "../job/model/instant.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubeResource } from "./resources.ts";
import { groupVersion } from "./resources.ts";
import type { Listing } from "./listing.ts";
import { resourceVersionOf } from "./kube-watch.ts";

/** How the client wants objects: whole, or as rows of a Table (Accept: application/json;as=Table;v=v1;g=meta.k8s.io). */
export interface KubeShape {
  readonly as: "objects" | "table";
  readonly include: "None" | "Metadata" | "Object";
}

export function readShape(accept: string, query: URLSearchParams): KubeShape {
  const include = query.get("includeObject");
  return {
    as: /as=Table/.test(accept) ? "table" : "objects",
    include: include === "None" || include === "Object" ? include : "Metadata",
  };
}

/** One object by its name. */
export function showOne(listing: Listing, shape: KubeShape, now: Instant): unknown {
  return shape.as === "table" ? tableFor(listing, shape, now) : listing.objects[0];
}

export function showList(listing: Listing, resource: KubeResource, shape: KubeShape, now: Instant): unknown {
  if (shape.as === "table") return tableFor(listing, shape, now);
  return {
    kind: `${resource.kind}List`,
    apiVersion: groupVersion(resource),
    metadata: listMetadata(listing, now),
    items: listing.objects,
  };
}

/** One line of a watch. */
export function showEvent(
  { type, listing }: { readonly type: string; readonly listing: Listing },
  { shape, now, headers }: { readonly shape: KubeShape; readonly now: Instant; readonly headers: boolean },
): string {
  const [object] = listing.objects;
  const metadata = { resourceVersion: object?.metadata.resourceVersion ?? resourceVersionOf(now) };
  const shown = shape.as === "table" ? listing.table({ metadata, now, include: shape.include, headers }) : object;
  return `${JSON.stringify({ type, object: shown })}\n`;
}

/** How far everything was told; `ends` the initial events of a streaming list (KEP-3157). */
export function showBookmark(resource: KubeResource, shape: KubeShape, now: Instant, ends: boolean): string {
  const metadata = {
    resourceVersion: resourceVersionOf(now),
    creationTimestamp: null,
    ...(ends && { annotations: { "k8s.io/initial-events-end": "true" } }),
  };
  const object: Pick<KubeObject, "kind" | "apiVersion"> & { readonly [field: string]: unknown } =
    shape.as === "table"
      ? { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata, columnDefinitions: null, rows: [] }
      : { kind: resource.kind, apiVersion: groupVersion(resource), metadata };
  return `${JSON.stringify({ type: "BOOKMARK", object })}\n`;
}

function tableFor(listing: Listing, { include }: KubeShape, now: Instant): unknown {
  return listing.table({ metadata: listMetadata(listing, now), now, include });
}

function listMetadata({ continueToken }: Listing, now: Instant): Readonly<Record<string, string>> {
  return { resourceVersion: resourceVersionOf(now), ...(continueToken !== undefined && { continue: continueToken }) };
}
