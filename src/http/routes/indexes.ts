import { listJobIndexes } from "../../query/job-indexes.ts";
import { indexStateSchema, pageOf } from "../components.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "../job-page.ts";
import { JOB_PATH, JOB_TEMPLATE } from "../job-path.ts";
import { defineRoute } from "../route.ts";

export const indexesRoute = defineRoute({
  template: `${JOB_TEMPLATE}/indexes`,
  operationId: "listIndexes",
  summary: "What became of each completion index of an Indexed Job",
  path: JOB_PATH,
  query: PAGE_QUERY,
  answer: pageOf(indexStateSchema),
  answerIs: "One page of indexes, in order.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    return replyWithPage(wanted, await listJobIndexes(await ports(), scope, wanted, { limit, cursor, now }));
  },
});
