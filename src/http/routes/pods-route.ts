import { listJobPods } from "../../query/job/job-pods.ts";
import { pageOf } from "../contract/components.ts";
import { attemptSchema } from "../../explain/answer-document.ts";
import { JOB_PAGE_QUERY, replyWithJobPage } from "./job-page.ts";
import { JOB_PATH, JOB_TEMPLATE } from "./job-path.ts";
import { STANDARD_LIMIT } from "./reply-with-page.ts";
import { defineRoute } from "../contract/route.ts";

export const podsRoute = defineRoute({
  template: `${JOB_TEMPLATE}/pods`,
  operationId: "listPods",
  summary: "List the attempts of a Job: one for each Pod, oldest first",
  path: JOB_PATH,
  query: JOB_PAGE_QUERY,
  answer: pageOf(attemptSchema),
  answerIs: "One page of attempts.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    return replyWithJobPage(wanted, await listJobPods(await ports(), { scope, wanted }, { limit, cursor }));
  },
});
