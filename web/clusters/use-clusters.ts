import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { ask } from "../ask/ask.ts";
import type { Asked, ListPage } from "../ask/asked.ts";
import { type Live, useLive } from "../ask/live.ts";

/** Half a minute: how fresh a cluster is changes with time alone. */
const AGAIN = 30_000;

export function useClusters(): Live<ListPage<ClusterAnswer>> {
  return useLive("clusters", askClusters, { everyMillis: AGAIN }).value;
}

function askClusters(signal: AbortSignal): Promise<Asked<ListPage<ClusterAnswer>>> {
  return ask<ListPage<ClusterAnswer>>("clusters", {}, signal);
}
