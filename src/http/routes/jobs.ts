import * as v from "valibot";
import { listJobs, MAX_LIST_LIMIT } from "../../query/list/list-jobs.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { jobAnswerSchema } from "../contract/job-answer-schema.ts";
import { replyWithPage, STANDARD_LIMIT } from "./list-page.ts";
import { cursorParameter, limitParameter, sortParameter } from "../contract/parameters.ts";
import { pageOf } from "../contract/components.ts";
import { defineRoute } from "../contract/route.ts";

export const jobsRoute = defineRoute({
  template: "/v1/jobs",
  operationId: "listJobs",
  summary: "List the Jobs that match all filters, by creation time, without evidence",
  path: {},
  query: {
    ...JOB_FILTER_QUERY,
    sort: v.exactOptional(sortParameter),
    limit: v.exactOptional(limitParameter(MAX_LIST_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(jobAnswerSchema),
  answerIs: "One page of Jobs.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { limit = STANDARD_LIMIT, cursor, sort, ...query }) => {
    const read = readJobFilter(query, now);
    if (read.outcome === "refused") return { problem: read.problem };
    const { filter, written } = read;
    return replyWithPage(await listJobs(await ports(), scope, { filter, written, order: sort, limit, cursor, now }));
  },
});
