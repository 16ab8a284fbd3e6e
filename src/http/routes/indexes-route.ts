import { indexStateSchema, listJobIndexes } from "../../query/job/job-indexes.ts";
import { pageOf } from "../contract/components.ts";
import { JOB_PAGE_QUERY, replyWithJobPage } from "./job-page.ts";
import { JOB_PATH, JOB_TEMPLATE } from "./job-path.ts";
import { STANDARD_LIMIT } from "./reply-with-page.ts";
import { defineRoute } from "../contract/route.ts";

export const indexesRoute = defineRoute({
  template: `${JOB_TEMPLATE}/indexes`,
  operationId: "listIndexes",
  summary: "List the completion indexes of an Indexed Job, with their outcomes",
  path: JOB_PATH,
  query: JOB_PAGE_QUERY,
  answer: pageOf(indexStateSchema),
  answerIs: "One page of indexes, in ascending order.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    return replyWithJobPage(wanted, await listJobIndexes(await ports(), { scope, wanted }, { limit, cursor, now }));
  },
});
