import * as v from "valibot";
import { listGaps } from "../../query/clusters/gaps.ts";
import { clusterGapSchema } from "../contract/components.ts";
import { ITEM_CURSORS_QUERY, mergeablePageOf, PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./list-page.ts";
import { clusterParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

export const gapsRoute = defineRoute({
  template: "/v1/gaps",
  operationId: "listGaps",
  summary: "List the gaps: intervals in which the watch of a cluster was not complete",
  path: {},
  query: { cluster: v.exactOptional(clusterParameter), ...PAGE_QUERY, ...ITEM_CURSORS_QUERY },
  answer: mergeablePageOf(clusterGapSchema),
  answerIs: "One page of gaps.",
  statuses: [],
  handle: async ({ ports, scope }, _path, { cluster, limit = STANDARD_LIMIT, cursor, itemCursors }) =>
    replyWithPage(await listGaps((await ports()).meta, scope, { cluster, limit, cursor }), itemCursors),
});
