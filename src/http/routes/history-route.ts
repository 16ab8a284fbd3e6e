import { historyEntrySchema, listJobHistory } from "../../query/job/job-history.ts";
import { pageOf } from "../contract/components.ts";
import { JOB_PAGE_QUERY, replyWithJobPage } from "./job-page.ts";
import { JOB_PATH, JOB_TEMPLATE } from "./job-path.ts";
import { STANDARD_LIMIT } from "./reply-with-page.ts";
import { defineRoute } from "../contract/route.ts";

export const historyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/history`,
  operationId: "listHistory",
  summary: "List the facts about a Job, its Pods and their Nodes, oldest first",
  path: JOB_PATH,
  query: JOB_PAGE_QUERY,
  answer: pageOf(historyEntrySchema),
  answerIs: "One page of facts.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    return replyWithJobPage(wanted, await listJobHistory(await ports(), { scope, wanted }, { limit, cursor }));
  },
});
