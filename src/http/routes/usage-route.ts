import * as v from "valibot";
import { instantAt } from "../../query/list/given-time.ts";
import { withRunFound } from "../../query/runs/with-run-found.ts";
import { reportUsage } from "../../query/usage/report-usage.ts";
import { usageReportSchema } from "../../query/usage/usage-report.ts";
import { problem } from "../contract/problem.ts";
import {
  nodeLabelsParameter,
  timeParameter,
  usageGroupingParameter,
  usageSortParameter,
} from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";
import { JOB_FILTER_QUERY } from "./job-filter-query.ts";

const { cluster, namespace, name, labelSelector, owner, run } = JOB_FILTER_QUERY;

const EMPTY_RANGE = 'Parameter "until" (query) is not later than since: exchange the two values.';
/** No Job is older. */
const ALL_DAYS = 0;

export const usageRoute = defineRoute({
  template: "/v1/usage",
  operationId: "reportUsage",
  summary: "Report what the Pods of Jobs reserved, by what became of that time",
  path: {},
  query: {
    cluster,
    namespace,
    name,
    labelSelector,
    owner,
    run,
    since: v.exactOptional(
      timeParameter("The beginning of the range, rounded down to a UTC day. Defaults to all days."),
    ),
    until: v.exactOptional(timeParameter("The end of the range, rounded up to a UTC day. Defaults to now.")),
    by: v.exactOptional(usageGroupingParameter),
    sort: v.exactOptional(usageSortParameter),
    nodeLabels: v.exactOptional(nodeLabelsParameter),
  },
  answer: usageReportSchema,
  answerIs: "The sums.",
  statuses: [],
  handle: async (
    { ports, scope, now },
    _path,
    { since: from, until: to, by, sort, nodeLabels, labelSelector: labels, ...same },
  ) => {
    const until = instantAt(to, now) ?? now;
    const since = instantAt(from, now) ?? ALL_DAYS;
    if (since >= until) return { problem: problem("bad-parameter", EMPTY_RANGE) };
    const stores = await ports();
    const filter = await withRunFound(stores, scope, { ...same, ...(labels && { labels }) });
    return { body: await reportUsage(stores, scope, { filter, by, sort, nodeLabels, since, until }) };
  },
});
