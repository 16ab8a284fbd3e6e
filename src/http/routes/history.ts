import * as v from "valibot";
import { listJobHistory } from "../../query/job-history.ts";
import { historyEntrySchema, pageOf } from "../components.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "../job-path.ts";
import { cursorParameter, limitParameter } from "../parameters.ts";
import { problem } from "../problem.ts";
import { defineRoute } from "../route.ts";

const MAX_LIMIT = 1_000;
const STANDARD_LIMIT = 100;

export const historyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/history`,
  operationId: "listHistory",
  summary: "Facts about the Job, its Pods and their Nodes, in order of time",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(historyEntrySchema),
  answerIs: "One page of facts.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    const page = await listJobHistory(await ports(), scope, wanted, { limit, cursor });
    switch (page.outcome) {
      case "listed":
        return { body: { items: page.items, nextCursor: page.nextCursor } };
      case "badCursor":
        return { problem: problem("bad-cursor", page.problem) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, page) };
    }
  },
});
