import type { Instant } from "../../job/model/instant.ts";
import { type KubeObject, resourceVersionOf } from "./kube-object.ts";
import type { KubeResource } from "./resources.ts";
import { groupVersion } from "./resources.ts";
import type { KubeTable, Listing } from "./listing.ts";

/** How and as of when objects are shown. */
export interface KubeView {
  readonly shape: KubeShape;
  readonly now: Instant;
}

/** The requested form: whole objects, or rows of a Table (Accept: application/json;as=Table;v=v1;g=meta.k8s.io). */
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
export function showOne(listing: Listing, view: KubeView): unknown {
  return view.shape.as === "table" ? tableFor(listing, view) : listing.objects[0];
}

export function showList(listing: Listing, resource: KubeResource, view: KubeView): unknown {
  if (view.shape.as === "table") return tableFor(listing, view);
  return {
    kind: `${resource.kind}List`,
    apiVersion: groupVersion(resource),
    metadata: listMetadata(listing, view.now),
    items: listing.objects,
  };
}

/** The objects of a list, or the rows of its Table. */
export function itemsOf(listing: Listing, view: KubeView): readonly unknown[] {
  return view.shape.as === "table" ? tableFor(listing, view).rows : listing.objects;
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

/** A bookmark. `ends` marks the end of the initial events of a streaming list (KEP-3157). */
export function showBookmark(resource: KubeResource, { shape, now }: KubeView, ends: boolean): string {
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

function tableFor(listing: Listing, { shape, now }: KubeView): KubeTable {
  return listing.table({ metadata: listMetadata(listing, now), now, include: shape.include });
}

function listMetadata({ continueToken }: Listing, now: Instant): Readonly<Record<string, string>> {
  return { resourceVersion: resourceVersionOf(now), ...(continueToken !== undefined && { continue: continueToken }) };
}
