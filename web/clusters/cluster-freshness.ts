import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { millisOf } from "../text/instant-text.ts";

/** An exporter sends at least once a minute, and a take-over takes some seconds. */
export const NOT_REPORTING_AFTER = 5 * 60_000;

export type Freshness =
  | { readonly kind: "fresh"; readonly lagMillis: number }
  | { readonly kind: "notReporting"; readonly lagMillis: number }
  /** Imported from a recording. */
  | { readonly kind: "notWatched" };

export function freshnessOf(cluster: ClusterAnswer, now: number): Freshness {
  const at = millisOf(cluster.observedAt);
  if (at === undefined || isImported(cluster)) return { kind: "notWatched" };
  const lagMillis = Math.max(0, now - at);
  return { kind: lagMillis > NOT_REPORTING_AFTER ? "notReporting" : "fresh", lagMillis };
}

/** Only a watch reports the identity or the version of a cluster. */
function isImported({ kubeSystemUid, serverVersion }: ClusterAnswer): boolean {
  return kubeSystemUid === undefined && serverVersion === undefined;
}
