import type { Attempt } from "../../src/explain/answer-document.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import type { ListPage } from "../api/api-result.ts";
import type { Load } from "../api/live.ts";
import { loadPages, type ReadPages } from "../api/read-pages.ts";
import { request } from "../api/request.ts";
import { pathOf } from "../job/job-requests.ts";
import type { PodName } from "../shell/route.ts";

/** The most facts and gaps that the page of a Pod reads. */
const MAX_FACTS = 1_000;
const MAX_GAPS = 1_000;

/** The Pod alone, in detail: the Job may have ten thousand others. */
export function loadPod({ jobUid, uid, ...place }: PodName): Load<ListPage<Attempt>> {
  const path = `${pathOf({ ...place, name: place.job })}/pods`;
  return (signal) => request<ListPage<Attempt>>(path, { uid: jobUid, podUid: uid }, signal);
}

export function loadPodHistory({ jobUid, uid, ...place }: PodName): Load<ReadPages<HistoryEntry>> {
  const path = `${pathOf({ ...place, name: place.job })}/history`;
  return loadPages({ path, parameters: { uid: jobUid, podUid: uid }, most: MAX_FACTS });
}

/** The gaps of a cluster that ended after a time. */
export function loadGaps(cluster: string, since: string): Load<ReadPages<ClusterGap>> {
  return loadPages({ path: "gaps", parameters: { cluster, since }, most: MAX_GAPS });
}
