import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import type { GapRecorded } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { EARLIEST, formatInstant, type Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { readGaps } from "./cluster-records.ts";
import { clusterNames } from "./clusters.ts";
import { comparePlaces, type Paged, type PageQuery, pageOfItems, type Place } from "../list/page.ts";
import type { Scope } from "../access/scope.ts";

export const clusterGapSchema = v.object({
  cluster: text,
  from: maybe(instant),
  to: maybe(instant),
  resources: v.array(text),
  reason: text,
});
export type ClusterGap = AnswerOf<typeof clusterGapSchema>;

export interface GapsQuery extends PageQuery {
  readonly cluster?: ClusterName | undefined;
  /** Only gaps that ended later. */
  readonly since?: Instant | undefined;
}

/** The gaps, by cluster and start. */
export async function listGaps(
  meta: MetaStore,
  scope: Scope,
  { since = EARLIEST, ...query }: GapsQuery,
): Promise<Paged<ClusterGap>> {
  const clusters = await clusterNames(meta, scope, query.cluster);
  const gaps = (await Promise.all(clusters.map((cluster) => gapsOf(meta, cluster))))
    .flat()
    .filter(({ gap }) => gap.to > since);
  gaps.sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
  const page = pageOfItems({ items: gaps, question: { gaps: query.cluster ?? "all" }, placeOf }, query);
  return page.outcome === "listed" ? { ...page, items: page.items.map(describeGap) } : page;
}

interface PlacedGap {
  readonly cluster: ClusterName;
  readonly gap: GapRecorded;
}

async function gapsOf(meta: MetaStore, cluster: ClusterName): Promise<readonly PlacedGap[]> {
  return (await readGaps(meta, cluster)).map((gap) => ({ cluster, gap }));
}

function placeOf({ cluster, gap }: PlacedGap): Place {
  return [cluster, gap.from, gap.gapId];
}

function describeGap({ cluster, gap: { from, to, resources, reason } }: PlacedGap): ClusterGap {
  return { cluster, from: formatInstant(from), to: formatInstant(to), resources, reason };
}
