import * as v from "valibot";
import { clusterSchema, listClusters } from "../../query/clusters/clusters.ts";
import { clusterGapSchema, listGaps } from "../../query/clusters/gaps.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { pageOf } from "../contract/components.ts";
import { clusterParameter, timeParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";

export const clustersRoute = defineRoute({
  template: "/v1/clusters",
  operationId: "listClusters",
  summary: "List clusters, how recent their data is, and the namespaces that have had Jobs",
  path: {},
  query: {},
  answer: v.object({ items: v.array(clusterSchema) }),
  answerIs: "All clusters that the reader has access to.",
  statuses: [],
  handle: async ({ ports, scope }) => ({ body: { items: await listClusters((await ports()).meta, scope) } }),
});

export const gapsRoute = defineRoute({
  template: "/v1/gaps",
  operationId: "listGaps",
  summary: "List the gaps: intervals in which the watch of a cluster was not complete",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    since: v.exactOptional(timeParameter("Only gaps that ended after this time.")),
    ...PAGE_QUERY,
  },
  answer: pageOf(clusterGapSchema),
  answerIs: "One page of gaps.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { limit = STANDARD_LIMIT, since, ...query }) => {
    const { meta } = await ports();
    return replyWithPage(await listGaps(meta, scope, { ...query, since: instantAt(since, now), limit }));
  },
});
