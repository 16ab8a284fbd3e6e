import type { Instant } from "../../job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { countOf, fieldsOf, isObject, textOf } from "../json/json-field.ts";
import { RESOURCE_KINDS, type WatchedResource } from "../connection/watched-resource.ts";

/**
 * How far a capture has come: with it another process goes on where this one stopped. Small and plain JSON (under 1 KiB), so that it fits into
 * a Lease's annotation. Keep it only once everything that was captured up to it is safe.
 */
export interface Position {
  /** The uid of namespace kube-system: which cluster this is a position in. Absent where that may not be read. */
  readonly clusterUid?: string;
  /** How often a list's resourceVersion went back: etcd was restored from a backup (src/job/model/order.ts). */
  readonly epoch: number;
  /** Until when something of the cluster was seen, by its own clock. Where `resources` does not say better, a blind window begins here. */
  readonly lastSeenAt: Instant;
  readonly resources: Readonly<Partial<Record<WatchedResource, ResourcePosition>>>;
}

export interface ResourcePosition {
  /** All changes up to this one were seen. Absent after `epoch` rose and before the list that begins the new one. */
  readonly resourceVersion?: ResourceVersion;
  /** Until when this stream is known to have told everything. */
  readonly seenAt: Instant;
}

/** A position read back from where it was kept as JSON; `undefined` where it is none: then a capture begins anew. */
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
  };
}

function decodeResources(fields: Readonly<Record<string, unknown>>): Position["resources"] {
  const resources: Partial<Record<WatchedResource, ResourcePosition>> = {};
  for (const { resource } of RESOURCE_KINDS) {
    const kept = fieldsOf(fields[resource]);
    const seenAt = countOf(kept["seenAt"]);
    const resourceVersion = decodeResourceVersion(String(kept["resourceVersion"]));
    if (seenAt === undefined) continue;
    resources[resource] = { seenAt, ...(resourceVersion !== undefined && { resourceVersion }) };
  }
  return resources;
}
