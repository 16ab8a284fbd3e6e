import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { freshnessOf } from "../clusters/cluster-freshness.ts";
import { number, plural } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";

/** What an empty list is based on: which clusters are watched, and how old their data is. */
export function checkedText(clusters: readonly ClusterAnswer[], now: number): string {
  if (clusters.length === 0) return "No cluster has sent data yet.";
  const freshness = clusters.map((cluster) => freshnessOf(cluster, now));
  const lags = freshness.flatMap((one) => (one.kind === "notWatched" ? [] : [one.lagMillis]));
  const silent = freshness.filter(({ kind }) => kind === "notReporting").length;
  const imported = clusters.length - lags.length;
  return [
    lags.length === 0
      ? "No cluster is watched."
      : `${plural(lags.length, "cluster")} watched, with data that is at most ${spanText(Math.max(...lags))} old.`,
    silent === 0 ? "" : `${number(silent)} of them stopped reporting.`,
    imported === 0 ? "" : `${plural(imported, "cluster")} imported from recordings.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
