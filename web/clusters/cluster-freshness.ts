import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { millisOf } from "../text/instant-text.ts";

/** A cluster that says nothing for so long is silent: an exporter is heard of at least once a minute, and take-over takes some seconds. */
const SILENT_AFTER = 5 * 60_000;

export type Freshness =
  | { readonly kind: "fresh"; readonly lagMillis: number }
  | { readonly kind: "silent"; readonly lagMillis: number }
  /** It was imported: nobody watches it. */
  | { readonly kind: "notWatched" };

export function freshnessOf({ observedAt }: ClusterAnswer, now: number): Freshness {
  const at = millisOf(observedAt);
  if (at === undefined) return { kind: "notWatched" };
  const lagMillis = Math.max(0, now - at);
  return { kind: lagMillis > SILENT_AFTER ? "silent" : "fresh", lagMillis };
}
