import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { Route } from "../shell/route.ts";
import { localDay, localText, localTime, millisOf } from "../text/instant-text.ts";
import { freshnessOf } from "./cluster-freshness.ts";

/** Whether the clusters of a view report now; `text` says so. */
export interface ShownFreshness {
  readonly isLive: boolean;
  readonly text: string;
}

/** The cluster of a view; `undefined` for all. */
export function clusterOfRoute({ view, path, parameters }: Pick<Route, "view" | "path" | "parameters">) {
  return view === "job" || view === "cronjobs" ? (path[0] ?? parameters["cluster"]) : parameters["cluster"];
}

/** A page is live only while every watched cluster that it shows was heard of within its bound. */
export function shownFreshness(shown: readonly ClusterAnswer[], now: number): ShownFreshness {
  const watched = shown.filter((cluster) => freshnessOf(cluster, now).kind !== "notWatched");
  const silent = watched.filter((cluster) => freshnessOf(cluster, now).kind === "notReporting");
  if (watched.length === 0) return { isLive: false, text: shown.length === 0 ? "No cluster" : "Not live: imported" };
  if (silent.length === 0) return { isLive: true, text: "Live" };
  const [only] = silent;
  const since = watched.length === 1 ? millisOf(only?.observedAt) : undefined;
  if (since !== undefined) return { isLive: false, text: `Silent since ${sinceText(since, now)}` };
  return { isLive: false, text: `${silent.length} of ${watched.length} clusters silent` };
}

function sinceText(at: number, now: number): string {
  return localDay(at) === localDay(now) ? localTime(at) : localText(at);
}
