import * as v from "valibot";
import { listCronJobs } from "../../query/cron-jobs/list-cron-jobs.ts";
import { cronJobSchema } from "../contract/cron-job-schema.ts";
import { ITEM_CURSORS_QUERY, mergeablePageOf, PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./list-page.ts";
import { clusterParameter, flagParameter, nameParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

export const cronJobsRoute = defineRoute({
  template: "/v1/cronjobs",
  operationId: "listCronJobs",
  summary: "List CronJobs by cluster, namespace and name",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    namespace: v.exactOptional(nameParameter("Only CronJobs in this namespace. Defaults to all namespaces.")),
    attention: v.exactOptional(
      flagParameter(
        "`true`: only CronJobs with findings, each with its findings as of the last data from its cluster.",
      ),
    ),
    ...PAGE_QUERY,
    ...ITEM_CURSORS_QUERY,
  },
  answer: mergeablePageOf(cronJobSchema),
  answerIs: "One page of CronJobs.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { limit = STANDARD_LIMIT, itemCursors, attention, ...query }) => {
    const attentionAt = attention === true ? now : undefined;
    return replyWithPage(await listCronJobs(await ports(), scope, { ...query, limit, attentionAt }), itemCursors);
  },
});
