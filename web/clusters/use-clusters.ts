import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { ask } from "../ask/ask.ts";
import type { Asked, ListPage } from "../ask/asked.ts";
import { type Live, useLive } from "../ask/live.ts";

/** Half a minute, because freshness changes with time alone. */
const INTERVAL = 30_000;

export function useClusters(): Live<ListPage<ClusterAnswer>> {
  return useLive("clusters", loadClusters, { everyMillis: INTERVAL }).value;
}

function loadClusters(signal: AbortSignal): Promise<Asked<ListPage<ClusterAnswer>>> {
  return ask<ListPage<ClusterAnswer>>("clusters", {}, signal);
}
