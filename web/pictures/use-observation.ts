import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import type { ListPage } from "../api/api-result.ts";
import { type Live, useLive } from "../api/live.ts";
import { loadPages, type ReadPages } from "../api/read-pages.ts";
import { request } from "../api/request.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "../shell/clock.ts";
import type { TimeRange } from "./bucket.ts";
import type { Observed } from "./coverage.ts";

const MOST_GAPS = 5_000;
/** Gaps are rare, and the freshness of a cluster shows an ongoing one earlier. */
const GAPS_INTERVAL = 300_000;

/** The time and the place of the pictures of a view. */
interface Pictured {
  readonly range: TimeRange;
  readonly cluster: string | undefined;
  readonly namespace: string | undefined;
  /** Whether the first hour or day has no Job. Then older Jobs show whether it was observed. */
  readonly isEmptyAtFirst: boolean;
}

/** What is known about the observation of the clusters of some pictures. The pictures of a view share it. */
export function useObservation({ range, cluster, namespace, isEmptyAtFirst }: Pictured): Live<Observed> {
  const clusters = useClusters();
  const gaps = useGaps(range, cluster);
  const earlier = useEarlier(isEmptyAtFirst ? range.from : undefined, { cluster, namespace });
  if (clusters.phase !== "answered") return clusters;
  if (gaps.phase !== "answered") return gaps;
  if (earlier.phase !== "answered") return earlier;
  const shown = clusters.answer.items.filter(({ name }) => name === (cluster ?? name));
  const answer = { clusters: shown, gaps: gaps.answer.items, hasEarlier: earlier.answer, now: now.value };
  return { phase: "answered", answer, at: gaps.at };
}

function useGaps({ from }: TimeRange, cluster: string | undefined): Live<ReadPages<ClusterGap>> {
  const parameters = { cluster, since: new Date(from).toISOString() };
  const load = loadPages<ClusterGap>({ path: "gaps", parameters, most: MOST_GAPS });
  return useLive(JSON.stringify(["gaps", parameters]), load, { everyMillis: GAPS_INTERVAL }).value;
}

/** Whether Jobs are stored that were created before an instant. Without an instant, nothing is asked. */
function useEarlier(
  before: number | undefined,
  place: { readonly cluster: string | undefined; readonly namespace: string | undefined },
): Live<boolean> {
  const load = async (signal: AbortSignal) => {
    if (before === undefined) return { outcome: "answered", answer: false, at: Date.now() } as const;
    const createdBefore = new Date(before).toISOString();
    const page = await request<ListPage<unknown>>("jobs", { ...place, createdBefore, limit: 1 }, signal);
    return page.outcome === "answered" ? { ...page, answer: page.answer.items.length > 0 } : page;
  };
  return useLive(JSON.stringify(["earlier", before, place]), load, { repeats: () => false }).value;
}
