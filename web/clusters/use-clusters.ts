import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { request } from "../api/request.ts";
import type { ApiResult, ListPage } from "../api/api-result.ts";
import { type Live, useLive } from "../api/live.ts";

/** Half a minute, because freshness changes with time alone. */
const INTERVAL = 30_000;

export function useClusters(): Live<ListPage<ClusterAnswer>> {
  return useLive("clusters", loadClusters, { everyMillis: INTERVAL }).value;
}

function loadClusters(signal: AbortSignal): Promise<ApiResult<ListPage<ClusterAnswer>>> {
  return request<ListPage<ClusterAnswer>>("clusters", {}, signal);
}
