import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import { mayReadAll, type Scope } from "../access/scope.ts";
import { floorAt, type LogPosition } from "./log-position.ts";

/**
 * How old a segment is at least before the records of namespaces are relied on. They are written when a segment is
 * projected. On AWS the stream delivers a segment for a day; after a longer outage, a replay writes them.
 */
const PROJECTED_AFTER_MS = 2 * 86_400_000;

export interface BeginInScope {
  readonly cluster: ClusterName;
  readonly from: LogPosition;
  readonly scope: Scope;
  readonly now: Instant;
}

/**
 * Where a reader begins in the log of a cluster: at `from`, or later if no earlier segment has a Job that the reader
 * may see. The log is not divided by namespace, so reading earlier would only skip segments.
 */
export async function beginInScope(meta: MetaStore, { cluster, from, scope, now }: BeginInScope): Promise<LogPosition> {
  const projected = now - PROJECTED_AFTER_MS;
  const floor = floorAt(projected);
  if (from.floor >= floor || (await hasJobsInScope(meta, scope, cluster))) return from;
  return { ...from, floor, lateUntil: Math.max(from.lateUntil, projected) };
}

/** Whether a namespace that the reader may see has had Jobs. */
async function hasJobsInScope(meta: MetaStore, scope: Scope, cluster: ClusterName): Promise<boolean> {
  if (scope === "everything" || mayReadAll(scope, cluster)) return true;
  for (const grant of scope.grants) {
    if (grant.cluster !== cluster || grant.namespaces === "all") continue;
    for (const namespace of grant.namespaces) {
      if ((await meta.read("namespace", namespaceKey(cluster, namespace))) !== undefined) return true;
    }
  }
  return false;
}
