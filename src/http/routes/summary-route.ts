import * as v from "valibot";
import { summariseJobs } from "../../query/summary/summarise-jobs.ts";
import { summarySchema } from "../../query/summary/summary.ts";
import { JOB_FILTER_QUERY, readJobFilter } from "./job-filter-query.ts";
import { flagParameter, groupingParameter } from "../contract/parameters.ts";
import { withRunFound } from "../../query/runs/with-run-found.ts";
import { defineRoute } from "../contract/route.ts";

export const summaryRoute = defineRoute({
  template: "/v1/summary",
  operationId: "summariseJobs",
  summary: "Count the Jobs that match all filters, by state and outcome",
  path: {},
  query: {
    ...JOB_FILTER_QUERY,
    by: v.exactOptional(groupingParameter),
    startDelays: v.exactOptional(
      flagParameter(
        "`true`: adds `startDelaySeconds`. Reads the Pods of the newest 5,000 Jobs, and covers no older ones.",
      ),
    ),
  },
  answer: summarySchema,
  answerIs: "The counts.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { by, startDelays, ...query }) => {
    const read = readJobFilter(query, now);
    if (read.outcome === "refused") return { problem: read.problem };
    const stores = await ports();
    const filter = await withRunFound(stores, scope, read.filter);
    return { body: await summariseJobs(stores, scope, { filter, by, startDelays }) };
  },
});
