import * as v from "valibot";
import { summariseJobs } from "../../query/summary/summarise-jobs.ts";
import { summarySchema } from "../contract/components.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { flagParameter, groupingParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

const BUCKETS_QUERY = {
  durationBuckets: v.exactOptional(
    flagParameter("`true`: also return how many durations are in each bucket, so that summaries can be added."),
  ),
};

export const summaryRoute = defineRoute({
  template: "/v1/summary",
  operationId: "summariseJobs",
  summary: "Count the Jobs that match all filters, by state and outcome",
  path: {},
  query: { ...JOB_FILTER_QUERY, by: v.exactOptional(groupingParameter), ...BUCKETS_QUERY },
  answer: summarySchema,
  answerIs: "The counts.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { by, durationBuckets = false, ...query }) => {
    const read = readJobFilter(query, now);
    if (read.outcome === "refused") return { problem: read.problem };
    return { body: await summariseJobs(await ports(), scope, { filter: read.filter, by, durationBuckets }) };
  },
});
