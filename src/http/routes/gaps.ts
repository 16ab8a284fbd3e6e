import * as v from "valibot";
import { listGaps } from "../../query/gaps.ts";
import { clusterGapSchema, pageOf } from "../components.ts";
import { clusterParameter, cursorParameter, limitParameter } from "../parameters.ts";
import { problem } from "../problem.ts";
import { defineRoute } from "../route.ts";

const MAX_LIMIT = 1_000;
const STANDARD_LIMIT = 100;

export const gapsRoute = defineRoute({
  template: "/v1/gaps",
  operationId: "listGaps",
  summary: "Times in which nobody watched",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(clusterGapSchema),
  answerIs: "One page of gaps.",
  statuses: [],
  handle: async ({ ports, scope }, _path, { cluster, limit = STANDARD_LIMIT, cursor }) => {
    const list = await listGaps((await ports()).meta, scope, { cluster, limit, cursor });
    if (list.outcome === "badCursor") return { problem: problem("bad-cursor", list.problem) };
    return { body: { items: list.items, nextCursor: list.nextCursor } };
  },
});
