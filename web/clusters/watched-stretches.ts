import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { millisOf } from "../text/instant-text.ts";
import { freshnessOf } from "./cluster-freshness.ts";

/** A part of a time axis. Between stretches, it is not known whether the cluster was watched. */
export interface Stretch {
  readonly kind: "watched" | "gap" | "silent";
  readonly from: number;
  readonly to: number;
}

interface Axis {
  readonly from: number;
  readonly to: number;
}

/**
 * The periods in which a cluster was watched: from its first gap until its last data, except during its gaps. A cluster
 * that does not report has been silent since its last data.
 */
export function watchedStretches(cluster: ClusterAnswer, gaps: readonly ClusterGap[], axis: Axis): readonly Stretch[] {
  const heardAt = Math.min(millisOf(cluster.observedAt) ?? axis.from, axis.to);
  const blind = gaps
    .filter((gap) => gap.cluster === cluster.name)
    .map((gap) => ({ kind: "gap" as const, from: millisOf(gap.from) ?? axis.from, to: millisOf(gap.to) ?? axis.to }))
    .sort((a, b) => a.from - b.from);
  const silentFrom = freshnessOf(cluster, axis.to).kind === "notReporting" ? heardAt : axis.to;
  const stretches: Stretch[] = [];
  let at = blind.length === 0 ? heardAt : axis.from;
  for (const gap of blind) {
    if (gap.from > at && stretches.length > 0) stretches.push({ kind: "watched", from: at, to: gap.from });
    stretches.push(gap);
    at = Math.max(at, gap.to);
  }
  if (heardAt > at) stretches.push({ kind: "watched", from: at, to: heardAt });
  const from = Math.max(silentFrom, at);
  if (from < axis.to) stretches.push({ kind: "silent", from, to: axis.to });
  return stretches;
}
