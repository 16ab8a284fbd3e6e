import type { ClusterAnswer, Heartbeat } from "../../src/query/clusters/clusters.ts";
import { millisOf } from "../text/instant-text.ts";

/** The clusters with later heartbeats, and those that are new. */
export function withHeartbeats(
  clusters: readonly ClusterAnswer[],
  heartbeats: readonly Heartbeat[],
): readonly ClusterAnswer[] {
  const byName = new Map(heartbeats.map((heartbeat) => [heartbeat.name, heartbeat] as const));
  const known = new Set(clusters.map(({ name }) => name));
  const added = heartbeats.filter(({ name }) => !known.has(name)).map((one) => ({ ...one, namespaces: [] }));
  return [...clusters.map((cluster) => later(cluster, byName.get(cluster.name))), ...added];
}

function later(cluster: ClusterAnswer, heartbeat: Heartbeat | undefined): ClusterAnswer {
  const isLater = (millisOf(heartbeat?.observedAt) ?? 0) > (millisOf(cluster.observedAt) ?? 0);
  return isLater ? { ...cluster, ...heartbeat } : cluster;
}
