import type { Instant } from "../../job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { countOf, fieldsOf, isObject, textOf } from "../json/json-field.ts";
import { RESOURCE_KINDS, type WatchedResource } from "../connection/watched-resource.ts";

/**
 * How far a capture has come, so that another process can continue from there. Small, plain JSON (under 2 KiB, with the
 * names of namespaces under 10 KiB), because a Lease's annotation contains it. Store it only when everything captured
 * before it is safe.
 */
export interface Position {
  /** The uid of namespace kube-system, which identifies the cluster. Absent where access is denied. */
  readonly clusterUid?: string;
  /** How often the resourceVersions decreased because etcd was restored (src/job/model/order.ts). */
  readonly epoch: number;
  /**
   * The instant up to which the cluster was observed, by its own clock. A gap starts here for resources that
   * `resources` lacks.
   */
  readonly lastSeenAt: Instant;
  readonly resources: Readonly<Partial<Record<WatchedResource, ResourcePosition>>>;
  /** The namespaces with labels or annotations for Outlive, by uid: names. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

export interface ResourcePosition {
  /** All changes up to this resourceVersion were observed. Absent between a new epoch and its first list. */
  readonly resourceVersion?: ResourceVersion;
  /** The instant up to which this stream is known to be complete. */
  readonly seenAt: Instant;
}

/** Decodes a stored position; `undefined` where it is invalid, so that a capture starts anew. */
export function decodePosition(value: unknown): Position | undefined {
  if (!isObject(value)) return undefined;
  const epoch = countOf(value["epoch"]);
  const lastSeenAt = countOf(value["lastSeenAt"]);
  const clusterUid = textOf(value["clusterUid"]);
  if (epoch === undefined || lastSeenAt === undefined) return undefined;
  return {
    ...(clusterUid !== undefined && { clusterUid }),
    epoch,
    lastSeenAt,
    resources: decodeResources(fieldsOf(value["resources"])),
    ...(isObject(value["namespaces"]) && { namespaces: decodeNames(value["namespaces"]) }),
  };
}

function decodeNames(names: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).filter((entry): entry is [string, string] => textOf(entry[1]) !== undefined),
  );
}

function decodeResources(fields: Readonly<Record<string, unknown>>): Position["resources"] {
  const resources: Partial<Record<WatchedResource, ResourcePosition>> = {};
  for (const { resource } of RESOURCE_KINDS) {
    const stored = fieldsOf(fields[resource]);
    const seenAt = countOf(stored["seenAt"]);
    const resourceVersion = decodeResourceVersion(String(stored["resourceVersion"]));
    if (seenAt === undefined) continue;
    resources[resource] = { seenAt, ...(resourceVersion !== undefined && { resourceVersion }) };
  }
  return resources;
}
