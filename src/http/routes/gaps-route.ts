import * as v from "valibot";
import { clusterGapSchema, listGaps } from "../../query/clusters/gaps.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { pageOf } from "../contract/components.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";
import { clusterParameter, timeParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

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
