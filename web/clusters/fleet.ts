import { DAY_MILLIS } from "../../src/job/model/instant.ts";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import type { SummaryGroup } from "../../src/query/summary/summary.ts";
import { plural } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import { type Freshness, freshnessOf } from "./cluster-freshness.ts";
import { watchedStretches } from "./watched-stretches.ts";

/** How far back a tile shows gaps and failures. */
export const TILE_MILLIS = DAY_MILLIS;

/** One cluster of the fleet. */
export interface Tile {
  readonly name: string;
  readonly freshness: Freshness;
  /** Its gaps in the last day. */
  readonly gaps: number;
  /** What was not observed in the last day, as shares of it. */
  readonly blind: readonly { readonly from: number; readonly to: number }[];
  /** Jobs of the last day; `undefined` while they are not known. */
  readonly failed: number | undefined;
  readonly withFindings: number | undefined;
}

interface Fleet {
  readonly clusters: readonly ClusterAnswer[];
  readonly gaps: readonly ClusterGap[];
  /** Jobs of the last day by cluster; `undefined` while they are not known. */
  readonly jobs: readonly Pick<SummaryGroup, "key" | "byState" | "attention">[] | undefined;
  readonly now: number;
}

/** The tiles: silent clusters first, the longest silence first; then those with gaps; then by name. */
export function fleetTiles({ clusters, gaps, jobs, now }: Fleet): readonly Tile[] {
  const byCluster = Map.groupBy(gaps, ({ cluster }) => cluster);
  const jobsOf = new Map(jobs?.map((group) => [group.key, group]));
  return clusters
    .map((cluster): Tile => {
      const found = jobsOf.get(cluster.name);
      return {
        name: cluster.name,
        freshness: freshnessOf(cluster, now),
        ...blindIn(cluster, byCluster.get(cluster.name) ?? [], now),
        failed: jobs && (found?.byState.Failed ?? 0),
        withFindings: jobs && (found?.attention ?? 0),
      };
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || silenceOf(b) - silenceOf(a) || (a.name < b.name ? -1 : 1));
}

function blindIn(cluster: ClusterAnswer, gaps: readonly ClusterGap[], now: number): Pick<Tile, "gaps" | "blind"> {
  const from = now - TILE_MILLIS;
  const shareOf = (at: number): number => Math.min(1, Math.max(0, (at - from) / TILE_MILLIS));
  const recent = watchedStretches(cluster, gaps, { from, to: now }).filter(
    (stretch) => stretch.kind !== "watched" && stretch.to > from,
  );
  return {
    gaps: recent.filter(({ kind }) => kind === "gap").length,
    blind: recent.map((stretch) => ({ from: shareOf(stretch.from), to: shareOf(stretch.to) })),
  };
}

function rankOf({ freshness, gaps }: Tile): number {
  if (freshness.kind === "notReporting") return 0;
  if (gaps > 0) return 1;
  return freshness.kind === "fresh" ? 2 : 3;
}

function silenceOf({ freshness }: Tile): number {
  return freshness.kind === "notReporting" ? freshness.lagMillis : 0;
}

/** The freshness in two words. */
export function freshnessText(freshness: Freshness): string {
  switch (freshness.kind) {
    case "fresh":
      return `lag ${spanText(freshness.lagMillis)}`;
    case "notReporting":
      return `silent ${spanText(freshness.lagMillis)}`;
    case "notWatched":
      return "imported";
  }
}

/** What a tile says, apart from its name and freshness. */
export function tileText({ gaps, failed, withFindings }: Tile): string {
  const parts = [
    failed === undefined ? "failures not known" : `${failed} failed`,
    ...(withFindings === undefined ? [] : [`${withFindings} with findings`]),
    ...(gaps > 0 ? [plural(gaps, "monitoring gap")] : []),
  ];
  return `${parts.join(", ")} in the last 24 hours`;
}

/** What the fleet looks like, in one sentence. */
export function fleetText(tiles: readonly Tile[]): string {
  const silent = tiles.filter(({ freshness }) => freshness.kind === "notReporting").length;
  const withGaps = tiles.filter(({ gaps }) => gaps > 0).length;
  const failed = tiles.filter((tile) => (tile.failed ?? 0) > 0).length;
  return `${silent} silent, ${withGaps} with gaps, ${failed} with failed Jobs (✕) in the last 24 hours.`;
}
